import * as React from 'react'
import { useGlobals } from 'storybook/manager-api'

import { networkGlobal, type NetworkCondition } from '../events.ts'
import { ToolSelect } from './ToolSelect.tsx'

const options: readonly { value: NetworkCondition; title: string; description: string }[] = [
  { value: 'slow', title: 'Slow network', description: 'Each response takes two more seconds' },
  { value: 'offline', title: 'Offline', description: 'All requests fail' },
  { value: 'errors', title: 'Server errors', description: 'All responses have the status 500' },
]

/** Chooses the network condition of all stories. It is also available on docs pages, where panels are hidden. */
export function NetworkTool(): React.ReactElement {
  const [globals, updateGlobals] = useGlobals()
  const current = (globals[networkGlobal] as NetworkCondition | undefined) ?? 'none'
  return (
    <ToolSelect
      ariaLabel="Network condition"
      icon={<NetworkIcon />}
      options={options}
      chosen={current === 'none' ? undefined : current}
      resetLabel="Network as mocked"
      onChoose={(condition = 'none') => updateGlobals({ [networkGlobal]: condition })}
    />
  )
}

function NetworkIcon(): React.ReactElement {
  return (
    <svg width="14" height="14" viewBox="0 0 14 14" fill="none" stroke="currentColor" aria-hidden="true">
      <path d="M1 5a8.5 8.5 0 0 1 12 0M3 7.3a5.6 5.6 0 0 1 8 0M5 9.6a2.8 2.8 0 0 1 4 0" />
      <circle cx="7" cy="11.7" r=".8" fill="currentColor" stroke="none" />
    </svg>
  )
}
