import * as React from 'react'
import { Select } from 'storybook/internal/components'
import { useGlobals } from 'storybook/manager-api'

import { networkGlobal, type NetworkCondition } from '../events.ts'

const options: readonly { value: NetworkCondition; title: string; description: string }[] = [
  { value: 'slow', title: 'Slow network', description: 'Each response takes two more seconds' },
  { value: 'offline', title: 'Offline', description: 'All requests fail' },
  { value: 'errors', title: 'Server errors', description: 'All responses have the status 500' },
]

/** Chooses the network condition of all stories. It is also available on docs pages, where panels are hidden. */
export function NetworkTool(): React.ReactElement {
  const [globals, updateGlobals] = useGlobals()
  const current = (globals[networkGlobal] as NetworkCondition | undefined) ?? 'none'
  const choose = (condition: unknown): void => {
    if (condition !== current) updateGlobals({ [networkGlobal]: condition })
  }
  return (
    <Select
      key={current}
      size="small"
      padding="small"
      ariaLabel="Network condition"
      icon={<NetworkIcon />}
      options={options.map((option) => ({ ...option }))}
      {...(current !== 'none' && { defaultOptions: current })}
      onSelect={choose}
      onReset={() => choose('none')}
      resetLabel="Network as mocked"
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
