import type { InspectedHandler, LoggedRequest, RequestDetails } from '@understudy/engine/inspect'
import * as React from 'react'

import { toExchange } from '../handler-code/to-exchange.ts'
import { usePanel } from '../panel-context.ts'
import { statusOptions, toDraft, toEditedParts, toOverride, warnOfBody, type ResponseDraft } from './response-draft.ts'

interface ResponseEditorProps {
  /** The handler that answered the request. */
  handler: InspectedHandler
  request: LoggedRequest
  details: RequestDetails
  onClose: () => void
}

/** Edits the response of a handler for its next requests. */
export function ResponseEditor({ handler, request, details, onClose }: ResponseEditorProps): React.ReactElement {
  const { kit, change, announce, host, save } = usePanel()
  const { header } = handler
  // The network sends details again while the editor is open. Keep the typed text.
  const [original] = React.useState(() => toDraft(request, details))
  const [draft, setDraft] = React.useState(original)
  const [error, setError] = React.useState<string | null>(null)
  const edit = (part: Partial<ResponseDraft>): void => setDraft({ ...draft, ...part })
  const warning = warnOfBody(draft)

  function apply(): void {
    try {
      change(handler.id, { override: toOverride(draft, original, handler.override) })
    } catch (invalid) {
      setError(invalid instanceof Error ? invalid.message : String(invalid))
      return
    }
    announce(`${header} answers with the edited response`)
    onClose()
  }

  const exchange = save && draft.body !== null ? toExchange(request, details, host) : null
  function saveHandler(): void {
    try {
      if (exchange) save?.([{ ...exchange, ...toEditedParts(draft, original) }])
    } catch (invalid) {
      setError(invalid instanceof Error ? invalid.message : String(invalid))
    }
  }

  return (
    <section className="us-message us-editor" aria-label={`Edit the response of ${header}`}>
      <h3 className="us-message-title">Edit the response</h3>
      <p className="us-muted">
        The next requests that <code>{header}</code> answers get this response.
      </p>
      <div className="us-override-field">
        <span className="us-label">Status</span>
        <kit.Select
          ariaLabel="Status"
          value={draft.status}
          options={statusOptions(original.status)}
          onChange={(status) => edit({ status })}
        />
      </div>
      <TextArea label="Headers" value={draft.headers} rows={3} onChange={(headers) => edit({ headers })} />
      {draft.body === null ? (
        <p className="us-muted">
          The body stays as it is: it is not text, it is very long, or the panel has not all of it.
        </p>
      ) : (
        <TextArea label="Body" value={draft.body} rows={10} onChange={(body) => edit({ body })} />
      )}
      {warning && <p className="us-warning">{warning}</p>}
      {error !== null && (
        <p className="us-thrown" role="alert">
          {error}
        </p>
      )}
      <div className="us-editor-buttons">
        <kit.Button isDisabled={draft === original} onClick={apply}>
          Apply
        </kit.Button>
        {exchange && (
          <kit.Button isPlain onClick={saveHandler}>
            Save as handler
          </kit.Button>
        )}
        <kit.Button isPlain onClick={onClose}>
          Cancel
        </kit.Button>
      </div>
    </section>
  )
}

interface TextAreaProps {
  label: string
  value: string
  rows: number
  onChange: (value: string) => void
}

function TextArea({ label, value, rows, onChange }: TextAreaProps): React.ReactElement {
  return (
    <label className="us-editor-field">
      <span className="us-label">{label}</span>
      <textarea
        className="us-text-area"
        value={value}
        rows={rows}
        spellCheck={false}
        autoComplete="off"
        onChange={(event) => onChange(event.currentTarget.value)}
      />
    </label>
  )
}
