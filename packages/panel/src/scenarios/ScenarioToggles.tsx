import * as React from 'react'

import { usePanel } from '../panel-context.ts'
import type { PanelState } from '../panel-host.ts'

/** Shows a toggle for each scenario of the handlers module. It is above the tabs, because scenarios affect every view. */
export function ScenarioToggles({ state }: { state: PanelState }): React.ReactElement | null {
  const { host, kit, fail, announce } = usePanel()
  const { names = [], active = [] } = state.scenarios ?? {}
  const { Button } = kit
  if (!host.scenario || names.length === 0) return null

  function toggle(name: string): void {
    const next = active.includes(name) ? active.filter((other) => other !== name) : [...active, name]
    host
      .scenario?.(next)
      .then(() => announce(next.length === 0 ? 'No scenario is active' : `Active: ${next.join(', ')}`))
      .catch(fail)
  }

  return (
    <div className="us-toolbar" role="group" aria-label="Scenarios">
      <span className={active.length === 0 ? 'us-label' : 'us-warning'} aria-hidden="true">
        Scenarios
      </span>
      {names.map((name) => (
        <Button key={name} isPressed={active.includes(name)} onClick={() => toggle(name)}>
          {name}
        </Button>
      ))}
    </div>
  )
}
