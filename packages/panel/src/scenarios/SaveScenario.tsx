import * as React from 'react'

import { isScenarioName } from '../handler-code/scenario-item.ts'
import { usePanel } from '../panel-context.ts'
import type { PanelState } from '../panel-host.ts'
import { EditButtons, EditPreview } from '../save/EditPreview.tsx'
import type { SavePreview } from '../save/save-request.ts'
import { listOverridden, toScenarioItems, type ScenarioItems } from './to-scenario-items.ts'

interface SaveScenarioProps {
  state: PanelState
  /** Whether the dialog is open. */
  isOpen: boolean
  onClose: () => void
}

/** Saves the overrides as a scenario after a confirmation, and offers to undo it and to use the scenario. */
export function SaveScenario({ state, isOpen, onClose }: SaveScenarioProps): React.ReactElement {
  const { announce } = usePanel()
  const [saved, setSaved] = React.useState<SavePreview | null>(null)
  return (
    <>
      {saved && <SavedScenario saved={saved} state={state} onClose={() => setSaved(null)} />}
      {isOpen && (
        <ScenarioDialog
          state={state}
          onClose={onClose}
          onSaved={(preview) => {
            setSaved(preview)
            announce(`Saved the scenario ${preview.header} in ${preview.file}`)
          }}
        />
      )}
    </>
  )
}

interface SavedScenarioProps {
  saved: SavePreview
  state: PanelState
  onClose: () => void
}

function SavedScenario({ saved, state, onClose }: SavedScenarioProps): React.ReactElement {
  const { kit, host, change, fail, announce } = usePanel()
  const { header: name, file, mode } = saved
  const { names = [], active = [] } = state.scenarios ?? {}
  const overridden = listOverridden(state)

  function undo(): void {
    onClose()
    const text = mode === 'replace' ? `Restored the scenario ${name}` : `Removed the scenario ${name}`
    // A page whose active scenario is missing does not take the file.
    const isEnded = mode === 'insert' && active.includes(name)
    const ending = isEnded ? host.scenario?.(active.filter((other) => other !== name)) : undefined
    Promise.resolve(ending)
      .then(() => host.saver?.undo(saved.id ?? ''))
      .then(() => announce(text), fail)
  }

  function use(): void {
    for (const { id } of overridden) change(id, { override: null })
    const next = active.includes(name) ? active : [...active, name]
    host.scenario?.(next).then(() => announce(`Active: ${next.join(', ')}`), fail)
  }

  return (
    <div className="us-notice" data-tone="positive">
      <span>
        {mode === 'replace' ? 'Replaced' : 'Saved'} the scenario <code>{name}</code> in {file}.
      </span>
      <span className="us-editor-buttons">
        {overridden.length > 0 && (
          <kit.Button isDisabled={!names.includes(name)} onClick={use}>
            Use it instead of the overrides
          </kit.Button>
        )}
        <kit.Button
          ariaLabel={`Undo: ${mode === 'replace' ? 'restore' : 'remove'} the scenario ${name}`}
          onClick={undo}
        >
          Undo
        </kit.Button>
        <kit.Button isPlain ariaLabel="Dismiss" onClick={onClose}>
          ✕
        </kit.Button>
      </span>
    </div>
  )
}

interface ScenarioDialogProps {
  state: PanelState
  onSaved: (preview: SavePreview) => void
  onClose: () => void
}

/** How long to wait after a key press before the dev server is asked for the diff, in milliseconds. */
const pause = 150

function ScenarioDialog({ state, onSaved, onClose }: ScenarioDialogProps): React.ReactElement {
  const { host } = usePanel()
  const { saver } = host
  const dialog = React.useRef<HTMLDialogElement>(null)
  const titleId = React.useId()
  const [name, setName] = React.useState('')
  const [overrides, setOverrides] = React.useState<ScenarioItems | null>(null)
  /** Changes when the diff has to be computed again. */
  const [round, setRound] = React.useState(0)
  const asked = `${round} ${name}`
  const [shown, setShown] = React.useState<{ preview: SavePreview; of: string } | null>(null)
  const [error, setError] = React.useState<string | null>(null)
  const showError = (thrown: unknown): void => setError(thrown instanceof Error ? thrown.message : String(thrown))
  // The overrides at the time when the dialog was opened.
  const [first] = React.useState({ state, host })
  const isValid = isScenarioName(name)

  React.useEffect(() => dialog.current?.showModal(), [])
  React.useEffect(() => {
    toScenarioItems(first.state, first.host).then(setOverrides, showError)
  }, [first])
  React.useEffect(() => {
    if (!isValid || !overrides || overrides.items.length === 0) return undefined
    let isWanted = true
    const timer = setTimeout(() => {
      saver?.previewScenario?.(name, overrides.items).then(
        (preview) => isWanted && setShown({ preview, of: asked }),
        (thrown: unknown) => isWanted && showError(thrown),
      )
    }, pause)
    return () => {
      isWanted = false
      clearTimeout(timer)
    }
  }, [saver, overrides, name, isValid, asked])

  const preview = isValid ? shown?.preview : undefined
  const isReady = isValid && shown?.of === asked
  const close = (): void => dialog.current?.close()

  async function save(next: SavePreview): Promise<void> {
    setError(null)
    setShown(null)
    try {
      await saver?.write(next.id ?? '')
      // The focus returns to the element that opened this dialog.
      close()
      onSaved(next)
    } catch (thrown) {
      showError(thrown)
      // The file has changed. Show the edit of its current text.
      setRound(round + 1)
    }
  }

  return (
    // Browsers return the focus when the dialog closes.
    <dialog ref={dialog} className="us-dialog" aria-labelledby={titleId} onClose={onClose}>
      <h2 id={titleId} className="us-detail-title">
        Save overrides as scenario
      </h2>
      <form
        className="us-override-field"
        onSubmit={(event) => {
          event.preventDefault()
          if (isReady && preview?.id) void save(preview)
        }}
      >
        <label className="us-label" htmlFor={`${titleId}-name`}>
          Name
        </label>
        {/* In a search field, Escape clears the text and does not close the dialog. */}
        <input
          id={`${titleId}-name`}
          className="us-field"
          placeholder="payment-fails"
          value={name}
          spellCheck={false}
          autoComplete="off"
          onChange={(event) => setName(event.currentTarget.value)}
        />
      </form>
      {name !== '' && !isValid && (
        <p className="us-thrown" role="alert">
          A name has at most 100 characters, contains no comma, and does not start or end with a space.
        </p>
      )}
      {overrides?.items.length === 0 && (
        <p className="us-thrown" role="alert">
          No override can be saved.
        </p>
      )}
      {preview ? (
        <EditPreview preview={preview} what="The scenario" notes={[...(overrides?.notes ?? []), ...preview.notes]} />
      ) : (
        overrides &&
        overrides.notes.length > 0 && (
          <ul className="us-notes">
            {overrides.notes.map((note) => (
              <li key={note}>{note}</li>
            ))}
          </ul>
        )
      )}
      {error !== null && (
        <p className="us-thrown" role="alert">
          {error}
        </p>
      )}
      <EditButtons
        preview={preview}
        what="The scenario"
        isReady={isReady}
        onSave={(next) => void save(next)}
        onClose={close}
      />
    </dialog>
  )
}
