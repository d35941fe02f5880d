import * as React from 'react'
import { useGlobals } from 'storybook/manager-api'

import { scenarioGlobal } from '../events.ts'
import { useNetworkState, useStoryNetwork } from './inspection.ts'
import { ToolSelect } from './ToolSelect.tsx'

/** Chooses a scenario of the project's handlers for all stories. Without scenarios, the toolbar does not show it. */
export function ScenarioTool(): React.ReactElement | null {
  const [globals, updateGlobals] = useGlobals()
  const { names = [] } = useNetworkState(useStoryNetwork())?.scenarios ?? {}
  const current = (globals[scenarioGlobal] as string | undefined) ?? ''
  if (names.length === 0) return null
  return (
    <ToolSelect
      ariaLabel="Scenario"
      text="Scenario"
      options={names.map((name) => ({ value: name, title: name }))}
      chosen={names.includes(current) ? current : undefined}
      resetLabel="Scenario of the story"
      onChoose={(name = '') => updateGlobals({ [scenarioGlobal]: name })}
    />
  )
}
