import type { InspectedHandler } from '@understudy/engine/inspect'
import * as React from 'react'

import { toExchange, toSaveError } from '../handler-code/to-exchange.ts'
import { usePanel } from '../panel-context.ts'
import { BodyField } from './BodyField.tsx'
import {
  hasBody,
  statusOptions,
  toDraft,
  toEditedParts,
  toOverride,
  warnOfBody,
  type ResponseDraft,
  type ResponseEdit,
} from './response-draft.ts'

interface ResponseEditorProps {
  /** The handler that answered the request. */
  handler: InspectedHandler
  edit: ResponseEdit
  /** Called with `null` to close the editor. */
  onChange: (edit: ResponseEdit | null) => void
}

/** Edits the response of a handler for its next requests. */
export function ResponseEditor({ handler, edit, onChange }: ResponseEditorProps): React.ReactElement {
  const { kit, change, announce, host, save } = usePanel()
  const { header } = handler
  const { request, details } = edit
  // The network sends details again while the editor is open. Keep those with which it began.
  const original = React.useMemo(() => toDraft(request, details), [request, details])
  const draft = edit.draft ?? original
  const [error, setError] = React.useState<string | null>(null)
  const fail = (invalid: unknown): void => setError(invalid instanceof Error ? invalid.message : String(invalid))
  const set = (part: Partial<ResponseDraft>): void => onChange({ ...edit, draft: { ...draft, ...part } })
  const warning = warnOfBody(draft)

  function apply(): void {
    try {
      change(handler.id, { override: toOverride(draft, original, handler.override) })
    } catch (invalid) {
      fail(invalid)
      return
    }
    announce(`${header} answers with the edited response`)
    onChange(null)
  }

  function saveHandler(): void {
    try {
      // The draft has the whole body, or the body of the response is saved.
      const kept = hasBody(draft) ? { ...details, bodies: { ...details.bodies, response: null } } : details
      const exchange = toExchange(request, kept, host)
      if (!exchange) throw toSaveError(request, kept)
      save?.([{ ...exchange, ...toEditedParts(draft, original) }])
      setError(null)
    } catch (invalid) {
      fail(invalid)
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
          onChange={(status) => set({ status })}
        />
      </div>
      <label className="us-editor-field">
        <span className="us-label">Headers</span>
        <textarea
          className="us-text-area"
          value={draft.headers}
          rows={3}
          spellCheck={false}
          autoComplete="off"
          onChange={(event) => set({ headers: event.currentTarget.value })}
        />
      </label>
      <BodyField draft={draft} original={original} onChange={set} onError={fail} />
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
        {save && (
          <kit.Button isPlain onClick={saveHandler}>
            Save as handler
          </kit.Button>
        )}
        <kit.Button isPlain onClick={() => onChange(null)}>
          Cancel
        </kit.Button>
      </div>
    </section>
  )
}
