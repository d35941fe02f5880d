import * as React from 'react'

import { usePanel } from './panel-context.ts'

/**
 * A state of a view that is still there when the developer comes back to the view from another tab of the panel.
 *
 * @param name identifies the state in the panel
 * @param initial the value at the first time
 */
export function useKept<Value>(name: string, initial: Value): readonly [Value, (value: Value) => void] {
  const { kept } = usePanel()
  const [value, setValue] = React.useState(() => (kept.has(name) ? (kept.get(name) as Value) : initial))
  const change = React.useCallback(
    (next: Value): void => {
      kept.set(name, next)
      setValue(next)
    },
    [kept, name],
  )
  return [value, change]
}
