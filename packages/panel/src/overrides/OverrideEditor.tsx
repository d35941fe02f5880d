import type { InspectedHandler, LoggedRequest, Override, RequestDetails } from '@understudy/engine/inspect'
import * as React from 'react'

import { formatDuration } from '../format.ts'
import { usePanel } from '../panel-context.ts'
import { delays, nearestDelay, readAnswer, statuses, withAnswer, withDelay } from './override-choices.ts'
import { ResponseEditor } from './ResponseEditor.tsx'

const answers = [
  { value: 'own', label: 'As it is written' },
  { value: 'error', label: 'Network error' },
  ...statuses.map(([status, text]) => ({ value: String(status), label: `${status} ${text}` })),
]

interface OverrideEditorProps {
  handler: InspectedHandler
  /** The last request that the handler decided. */
  last: LoggedRequest | undefined
}

/** Forces an answer and a delay on one handler, or edits its last response. */
export function OverrideEditor({ handler, last }: OverrideEditorProps): React.ReactElement {
  const { kit, change, host, fail } = usePanel()
  const [edited, setEdited] = React.useState<{ request: LoggedRequest; details: RequestDetails } | null>(null)
  const { header, id } = handler
  // Show the new value at once: the network's state arrives a moment later, and may still have the old value.
  const [draft, setDraft] = React.useState<Override | null>(handler.override)
  const known = JSON.stringify(handler.override)
  React.useEffect(() => setDraft(JSON.parse(known) as Override | null), [known])

  function force(override: Override | null): void {
    setDraft(override)
    change(id, { override })
  }

  function edit(request: LoggedRequest): void {
    if (edited) setEdited(null)
    else host.details(request.id).then((details) => setEdited({ request, details }), fail)
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
      {last?.outcome === 'mocked' && (
        <kit.Button isPlain isExpanded={edited !== null} onClick={() => edit(last)}>
          Edit response
        </kit.Button>
      )}
      {draft !== null && (
        <kit.Button isPlain ariaLabel={`Reset ${header}`} onClick={() => force(null)}>
          Reset
        </kit.Button>
      )}
      {edited && <ResponseEditor handler={handler} {...edited} onClose={() => setEdited(null)} />}
    </div>
  )
}

function formatDelay(delay: number): string {
  return delay === 0 ? 'none' : formatDuration(delay)
}
