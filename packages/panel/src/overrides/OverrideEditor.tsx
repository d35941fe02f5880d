import type { InspectedHandler, LoggedRequest, Override } from '@understudy/engine/inspect'
import * as React from 'react'

import { createLazy } from '../create-lazy.tsx'
import { formatDuration } from '../format.ts'
import { usePanel } from '../panel-context.ts'
import { useKept } from '../use-kept.ts'
import { delays, nearestDelay, readAnswer, statuses, withAnswer, withDelay } from './override-choices.ts'
import type { ResponseEdit } from './response-draft.ts'

const ResponseEditor = createLazy(async () => (await import('./ResponseEditor.tsx')).ResponseEditor, 'the editor')

const answers = [
  { value: 'own', label: 'As it is written' },
  { value: 'error', label: 'Network error' },
  ...statuses.map(([status, text]) => ({ value: String(status), label: `${status} ${text}` })),
]

interface OverrideEditorProps {
  /** Identifies the handler also after an edit of the handlers, or a reload. */
  rowKey: string
  handler: InspectedHandler
  /** The last request that the handler decided. */
  last: LoggedRequest | undefined
}

/** Forces an answer and a delay on one handler, or edits its last response. */
export function OverrideEditor({ rowKey, handler, last }: OverrideEditorProps): React.ReactElement {
  const { kit, change, host, fail } = usePanel()
  // While the app reloads, there are no handlers. Keep the typed text.
  const [edited, setEdited] = useKept<ResponseEdit | null>(`edited response of ${rowKey}`, null)
  const { header, id } = handler
  // Show the new value at once: the network's state arrives a moment later, and may still have the old value.
  const [draft, setDraft] = React.useState<Override | null>(handler.override)
  const known = JSON.stringify(handler.override)
  React.useEffect(() => setDraft(JSON.parse(known) as Override | null), [known])

  function force(override: Override | null): void {
    setDraft(override)
    change(id, { override })
  }

  function edit(request: LoggedRequest | undefined): void {
    if (edited) setEdited(null)
    else if (request) host.details(request.id).then((details) => setEdited({ request, details, draft: null }), fail)
  }

  const answer = readAnswer(draft)
  const delay = draft?.delay ?? 0
  const options = answers.some(({ value }) => value === answer)
    ? answers
    : [...answers, { value: answer, label: answer === 'edited' ? 'Edited response' : answer }]
  return (
    <div className="us-override" role="group" aria-label={`Force on ${header}`}>
      <div className="us-override-field">
        <span className="us-label">Answer</span>
        <kit.Select
          ariaLabel={`Forced answer of ${header}`}
          value={answer}
          options={options}
          onChange={(value) => force(withAnswer(draft, value))}
        />
      </div>
      <div className="us-override-field">
        <span className="us-label">Delay</span>
        <kit.Slider
          ariaLabel={`Delay of ${header}`}
          value={nearestDelay(delay)}
          min={0}
          max={delays.length - 1}
          step={1}
          format={(index) => formatDelay(index === nearestDelay(delay) ? delay : (delays[index] ?? 0))}
          onChange={(index) => force(withDelay(draft, delays[index] ?? 0))}
        />
      </div>
      {(edited !== null || last?.outcome === 'mocked') && (
        <kit.Button isPlain isExpanded={edited !== null} onClick={() => edit(edited?.request ?? last)}>
          Edit response
        </kit.Button>
      )}
      {draft !== null && (
        <kit.Button isPlain ariaLabel={`Reset ${header}`} onClick={() => force(null)}>
          Reset
        </kit.Button>
      )}
      {edited && <ResponseEditor handler={handler} edit={edited} onChange={setEdited} />}
    </div>
  )
}

function formatDelay(delay: number): string {
  return delay === 0 ? 'none' : formatDuration(delay)
}
