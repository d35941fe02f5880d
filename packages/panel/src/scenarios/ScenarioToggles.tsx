import * as React from 'react'

import { createLazy } from '../create-lazy.tsx'
import { usePanel } from '../panel-context.ts'
import type { PanelState } from '../panel-host.ts'

const SaveScenario = createLazy(async () => (await import('./SaveScenario.tsx')).SaveScenario, 'the dialog')

/**
 * Shows a toggle for each scenario of the handlers module, and saves overrides as a scenario. It is above the tabs, because
 * scenarios affect every view.
 */
export function ScenarioToggles({ state }: { state: PanelState }): React.ReactElement | null {
  const { host, kit, fail, announce } = usePanel()
  const [isSaving, setSaving] = React.useState(false)
  /** The notice with its undo stays after the dialog. */
  const [hasSaved, setHasSaved] = React.useState(false)
  const { names = [], active = [] } = state.scenarios ?? {}
  const { Button } = kit
  if (!host.scenario) return null
  // The scenarios of the handlers file do not affect a server that renders pages.
  const canSave =
    host.saver?.previewScenario &&
    !state.info.isServer &&
    state.handlers.some(({ enabled, override }) => enabled && override !== null)

  function toggle(name: string): void {
    const next = active.includes(name) ? active.filter((other) => other !== name) : [...active, name]
    host
      .scenario?.(next)
      .then(() => announce(next.length === 0 ? 'No scenario is active' : `Active: ${next.join(', ')}`))
      .catch(fail)
  }

  return (
    <>
      {hasSaved && <SaveScenario state={state} isOpen={isSaving} onClose={() => setSaving(false)} />}
      {(names.length > 0 || canSave) && (
        <div className="us-toolbar" role="group" aria-label="Scenarios">
          <span className={active.length === 0 ? 'us-label' : 'us-warning'} aria-hidden="true">
            Scenarios
          </span>
          {names.map((name) => (
            <Button key={name} isPressed={active.includes(name)} onClick={() => toggle(name)}>
              {name}
            </Button>
          ))}
          {canSave && (
            <Button
              isPlain
              onClick={() => {
                setSaving(true)
                setHasSaved(true)
              }}
            >
              Save overrides as scenario…
            </Button>
          )}
        </div>
      )}
    </>
  )
}
