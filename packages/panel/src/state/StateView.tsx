import type { InspectedState } from '@understudy/engine/inspect'
import * as React from 'react'

import { JsonTree } from '../bodies/JsonTree.tsx'
import { showJson } from '../bodies/show-json.ts'
import { CopyButton } from '../CopyButton.tsx'
import { formatCount } from '../format.ts'
import { usePanel } from '../panel-context.ts'
import type { PanelState } from '../panel-host.ts'
import { useKept } from '../use-kept.ts'
import { stateStyle } from './state-style.ts'

/** The state that the handlers module exports: each part as a tree, which can be edited and reset. */
export function StateView({ state }: { state: PanelState }): React.ReactElement {
  return (
    <div className="us-scroll us-view">
      <style>{stateStyle}</style>
      <ul className="us-list" role="list" aria-label="State">
        {state.state?.map((part) => (
          <StatePart key={part.name} part={part} state={state} />
        ))}
      </ul>
    </div>
  )
}

interface StatePartProps {
  part: InspectedState
  state: PanelState
}

function StatePart({ part, state }: StatePartProps): React.ReactElement {
  const { name, canWrite, canReset } = part
  const { host, kit, announce } = usePanel()
  const { text, error, read } = useStateText(name, state)
  const [failure, setFailure] = React.useState<string | null>(null)
  // While the app reloads, there is no state to show. Keep the typed text.
  const [draft, setDraft] = useKept<StateDraft | null>(`draft of the state ${name}`, null)
  const value = React.useMemo((): unknown => (text === null ? null : JSON.parse(text)), [text])
  const tree = React.useMemo(() => showJson(value, ''), [value])
  const problem = failure ?? error

  async function run(action: Promise<void> | undefined, done: string): Promise<boolean> {
    setFailure(null)
    try {
      await action
      announce(done)
      return true
    } catch (cause) {
      setFailure(cause instanceof Error ? cause.message : String(cause))
      return false
    } finally {
      read()
    }
  }

  return (
    <li className="us-state">
      <div className="us-state-bar">
        <h2 className="us-state-name">{name}</h2>
        <span className="us-muted">{text === null ? '' : describeValue(value)}</span>
        <span className="us-state-tools">
          {text !== null && draft === null && host.writeState && canWrite && (
            <kit.Button ariaLabel={`Edit ${name}`} onClick={() => setDraft({ start: text, text })}>
              Edit
            </kit.Button>
          )}
          {host.resetState && canReset && (
            <kit.Button
              isPlain
              ariaLabel={`Reset ${name}`}
              onClick={() => void run(host.resetState?.(name), `${name} is reset`)}
            >
              Reset
            </kit.Button>
          )}
          <kit.Button isPlain ariaLabel={`Refresh ${name}`} onClick={read}>
            Refresh
          </kit.Button>
          {text !== null && <CopyButton text={text} what={name} />}
        </span>
      </div>
      {problem !== null && (
        <p className="us-thrown us-state-text" role="alert">
          {problem}
        </p>
      )}
      {draft === null && text !== null && (
        <div className="us-state-text">
          <JsonTree value={value} shown={tree} />
        </div>
      )}
      {draft !== null && (
        <StateEditor
          name={name}
          draft={draft}
          isStale={text !== null && text !== draft.start}
          onChange={setDraft}
          onApply={async () => {
            if (await run(host.writeState?.(name, draft.text), `${name} is changed`)) setDraft(null)
          }}
          onCancel={() => {
            setFailure(null)
            setDraft(null)
          }}
        />
      )}
    </li>
  )
}

/** An edit that has not been applied. */
interface StateDraft {
  /** What the editor began with. */
  readonly start: string
  readonly text: string
}

interface StateEditorProps {
  name: string
  draft: StateDraft
  /** Whether the state has changed since the editor was opened. */
  isStale: boolean
  onChange: (draft: StateDraft) => void
  onApply: () => Promise<void>
  onCancel: () => void
}

function StateEditor({ name, draft, isStale, onChange, onApply, onCancel }: StateEditorProps): React.ReactElement {
  const { kit } = usePanel()
  const { start, text } = draft
  const field = React.useRef<HTMLTextAreaElement>(null)
  React.useEffect(() => field.current?.focus(), [])
  const reason = React.useMemo(() => whyNotJson(text), [text])
  return (
    <div className="us-state-text us-state-editor">
      <textarea
        ref={field}
        className="us-text-area"
        aria-label={`JSON of ${name}`}
        value={text}
        rows={Math.min(24, Math.max(4, start.split('\n', 24).length))}
        spellCheck={false}
        autoComplete="off"
        onChange={(event) => onChange({ start, text: event.currentTarget.value })}
      />
      {reason !== null && <p className="us-warning">Not valid JSON: {reason}</p>}
      {isStale && <p className="us-warning">The state has changed since you opened the editor. Apply replaces it.</p>}
      <div className="us-editor-buttons">
        <kit.Button isDisabled={reason !== null || text === start} onClick={() => void onApply()}>
          Apply
        </kit.Button>
        <kit.Button isPlain onClick={onCancel}>
          Cancel
        </kit.Button>
      </div>
    </div>
  )
}

interface StateText {
  /** JSON; `null` until it was read. */
  readonly text: string | null
  /** Why it cannot be read. */
  readonly error: string | null
  readonly read: () => void
}

/** Reads a part again after each change of the network: a request may have changed it. */
function useStateText(name: string, version: PanelState): StateText {
  const { host } = usePanel()
  const [known, setKnown] = React.useState<Omit<StateText, 'read'>>({ text: null, error: null })
  const [count, setCount] = React.useState(0)
  React.useEffect(() => {
    let isWanted = true
    host.readState?.(name).then(
      (text) => isWanted && setKnown({ text, error: null }),
      (error: Error) => isWanted && setKnown({ text: null, error: error.message }),
    )
    return () => {
      isWanted = false
    }
  }, [host, name, version, count])
  return { ...known, read: () => setCount((last) => last + 1) }
}

function describeValue(value: unknown): string {
  if (Array.isArray(value)) return formatCount(value.length, 'item')
  if (typeof value === 'object' && value !== null) return formatCount(Object.keys(value).length, 'key')
  return ''
}

function whyNotJson(text: string): string | null {
  try {
    JSON.parse(text)
    return null
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}
