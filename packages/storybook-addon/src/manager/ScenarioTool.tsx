import * as React from 'react'
import { Select } from 'storybook/internal/components'
import { useGlobals } from 'storybook/manager-api'

import { scenarioGlobal } from '../events.ts'
import { useNetworkState, useStoryNetwork } from './inspection.ts'

/** Chooses a scenario of the project's handlers for all stories. Without scenarios, the toolbar does not show it. */
export function ScenarioTool(): React.ReactElement | null {
  const [globals, updateGlobals] = useGlobals()
  const { names = [] } = useNetworkState(useStoryNetwork())?.scenarios ?? {}
  const current = (globals[scenarioGlobal] as string | undefined) ?? ''
  if (names.length === 0) return null
  const choose = (name: unknown): void => {
    if (name !== current) updateGlobals({ [scenarioGlobal]: name })
  }
  return (
    <Select
      // The component reads its options when it is created.
      key={`${current} ${names.join()}`}
      size="small"
      padding="small"
      ariaLabel="Scenario"
      options={names.map((name) => ({ value: name, title: name }))}
      {...(names.includes(current) && { defaultOptions: current })}
      onSelect={choose}
      onReset={() => choose('')}
      resetLabel="Scenario of the story"
    >
      {current === '' && 'Scenario'}
    </Select>
  )
}
