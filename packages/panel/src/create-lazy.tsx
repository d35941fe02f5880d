import * as React from 'react'

import { usePanel } from './panel-context.ts'

/**
 * Creates a component whose code is loaded when it is rendered for the first time. Most people never open it.
 *
 * @param what it is, for the error: `the state`
 */
export function createLazy<Props extends object>(
  load: () => Promise<React.ComponentType<Props>>,
  what: string,
): React.ComponentType<Props> {
  return function Lazy(props) {
    const { fail } = usePanel()
    const [Loaded, setLoaded] = React.useState<React.ComponentType<Props> | null>(null)
    React.useEffect(() => {
      load().then(
        (component) => setLoaded(() => component),
        ({ message }: Error) => fail(new Error(`Failed to load ${what}: ${message}. Reload the panel. (US0838)`)),
      )
    }, [fail])
    return Loaded && <Loaded {...props} />
  }
}
