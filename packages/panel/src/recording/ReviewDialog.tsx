import * as React from 'react'

import { CopyButton } from '../CopyButton.tsx'
import { formatCount, formatTime, formatUrl } from '../format.ts'
import { exchangesLimit, saveLimit } from '../handler-code/exchange.ts'
import { toHandler } from '../log/copy-as.ts'
import { matchesWords, searchedUrl } from '../log/filter-requests.ts'
import { download } from '../log/HarButton.tsx'
import { toHar } from '../log/to-har.ts'
import { Method } from '../Method.tsx'
import { usePanel } from '../panel-context.ts'
import type { PanelState } from '../panel-host.ts'
import { isSelectedAtFirst, type ReviewEntry, type ReviewSource } from './review-entry.ts'
import { reviewStyle } from './review-style.ts'
import { useReviewEntries, type Review } from './use-review-entries.ts'

/** The number of rows that are shown at first, and that a click adds. */
const batch = 100

interface ReviewDialogProps {
  source: ReviewSource
  state: PanelState
  onClose: () => void
}

/** Shows recorded responses, or those of an HTTP archive, and saves the selected ones. */
export function ReviewDialog({ source, state, onClose }: ReviewDialogProps): React.ReactElement {
  const { kit } = usePanel()
  const dialog = React.useRef<HTMLDialogElement>(null)
  const titleId = React.useId()
  const { review, error } = useReviewEntries(source, state)
  const close = (): void => dialog.current?.close()
  React.useEffect(() => dialog.current?.showModal(), [])

  return (
    // Browsers return the focus when the dialog closes.
    <dialog ref={dialog} className="us-dialog us-review" aria-labelledby={titleId} onClose={onClose}>
      <style>{reviewStyle}</style>
      <h2 id={titleId} className="us-detail-title">
        {source instanceof File ? `Responses in ${source.name}` : 'Recorded responses'}
      </h2>
      {error !== null && (
        <p className="us-thrown" role="alert">
          {error}
        </p>
      )}
      {review === null && error === null && <p className="us-muted">Loading</p>}
      {review ? (
        <ReviewList review={review} state={state} onClose={close} />
      ) : (
        <kit.Button isPlain onClick={close}>
          Close
        </kit.Button>
      )}
    </dialog>
  )
}

interface ReviewListProps {
  review: Review
  state: PanelState
  onClose: () => void
}

function ReviewList({ review, state, onClose }: ReviewListProps): React.ReactElement {
  const { kit, save, announce } = usePanel()
  const { entries, notes } = review
  const { url: pageUrl } = state.info
  const [text, setText] = React.useState('')
  const [limit, setLimit] = React.useState(batch)
  const [error, setError] = React.useState<string | null>(null)
  const [choices, setChoices] = React.useState<ReadonlyMap<string, boolean>>(new Map())
  const isSelected = (entry: ReviewEntry): boolean =>
    entry.exchange !== null && (choices.get(entry.request.id) ?? isSelectedAtFirst(entry))
  const shown = entries.filter(({ request: { method, url, name } }) =>
    matchesWords(`${method} ${searchedUrl(url)} ${name ?? ''}`, text),
  )
  const selectable = shown.filter(({ exchange }) => exchange !== null)
  const chosen = entries.filter(isSelected)
  const areAll = selectable.every(isSelected)

  function select(changed: readonly ReviewEntry[], isChecked: boolean): void {
    setError(null)
    setChoices(new Map([...choices, ...changed.map(({ request }) => [request.id, isChecked] as const)]))
  }

  function saveHandlers(): void {
    const exchanges = chosen.flatMap(({ exchange }) => (exchange ? [exchange] : []))
    // If there are several handlers, each gets its path from the selected requests.
    const sent = exchanges.length === 1 ? exchanges : exchanges.map((exchange) => ({ ...exchange, otherUrls: [] }))
    if (sent.length > exchangesLimit || JSON.stringify(sent).length > saveLimit - 10_000) {
      const tooMany = new Error(
        `Failed to save the handlers: ${sent.length} responses are selected, and up to ${exchangesLimit} responses with ${saveLimit.toLocaleString('en')} characters can be saved at once. Select fewer. (US0839)`,
      )
      setError(tooMany.message)
    } else save?.(sent, onClose)
  }

  return (
    <>
      {notes.length > 0 && (
        <ul className="us-notes">
          {notes.map((note) => (
            <li key={note}>{note}</li>
          ))}
        </ul>
      )}
      {entries.length === 0 && <p className="us-muted">There is no response that a handler could return.</p>}
      {entries.length > 0 && (
        <div className="us-review-bar">
          <Checkbox
            isChecked={areAll && selectable.length > 0}
            isMixed={!areAll && selectable.some(isSelected)}
            isDisabled={selectable.length === 0}
            onChange={(isChecked) => select(selectable, isChecked)}
          >
            Select all
          </Checkbox>
          <span className="us-toolbar-note" role="status">
            {chosen.length} of {formatCount(entries.length, 'response')} selected
          </span>
          <kit.TextField
            ariaLabel="Filter responses"
            placeholder="Filter: users -GET"
            value={text}
            onChange={setText}
          />
        </div>
      )}
      <ul className="us-list us-review-list" role="list" aria-label="Responses">
        {shown.slice(0, limit).map((entry) => (
          <ReviewRow
            key={entry.request.id}
            entry={entry}
            pageUrl={pageUrl}
            isSelected={isSelected(entry)}
            onSelect={(isChecked) => select([entry], isChecked)}
          />
        ))}
      </ul>
      {shown.length > limit && (
        <kit.Button onClick={() => setLimit(limit + batch)}>{`${shown.length - limit} more`}</kit.Button>
      )}
      {error !== null && (
        <p className="us-thrown" role="alert">
          {error}
        </p>
      )}
      <div className="us-editor-buttons us-review-buttons">
        {save && (
          <kit.Button isDisabled={chosen.length === 0} onClick={saveHandlers}>
            {chosen.length === 1 ? 'Save as handler' : 'Save as handlers'}
          </kit.Button>
        )}
        <kit.Button
          isDisabled={chosen.length === 0}
          onClick={() => {
            download(toHar(chosen), 'requests.har')
            announce(`Saved ${formatCount(chosen.length, 'request')}`)
          }}
        >
          Save HAR
        </kit.Button>
        {chosen.length > 0 && (
          <CopyButton text={() => copyHandlers(chosen, pageUrl)} what="the selected responses">
            Copy as handlers
          </CopyButton>
        )}
        <kit.Button isPlain onClick={onClose}>
          Close
        </kit.Button>
      </div>
    </>
  )
}

/** Returns the code of handlers. If several have the same method and path, the last one is used. */
function copyHandlers(entries: readonly ReviewEntry[], pageUrl: string | null): string {
  const codes = new Map<string, string>()
  for (const { request, details } of entries) {
    const code = toHandler(request, details, pageUrl)
    codes.set(code.slice(0, code.indexOf(', ()')), code)
  }
  return [...codes.values()].join('\n')
}

interface ReviewRowProps {
  entry: ReviewEntry
  pageUrl: string | null
  isSelected: boolean
  onSelect: (isSelected: boolean) => void
}

function ReviewRow({ entry, pageUrl, isSelected, onSelect }: ReviewRowProps): React.ReactElement {
  const { request, exchange, obstacle } = entry
  const { origin, path } = formatUrl(request.url, pageUrl)
  return (
    <li className="us-review-row">
      <Checkbox isChecked={isSelected} isDisabled={exchange === null} onChange={onSelect}>
        <Method>{request.method}</Method>
        <span className="us-path" title={request.url}>
          {request.name !== null && <strong>{request.name} </strong>}
          {origin && <span className="us-muted">{origin}</span>}
          {path}
        </span>
      </Checkbox>
      {obstacle !== null && <span className="us-muted">{obstacle}</span>}
      <span className="us-mono">{request.status}</span>
      {request.startedAt > 0 && <time className="us-muted">{formatTime(request.startedAt)}</time>}
    </li>
  )
}

interface CheckboxProps {
  children: React.ReactNode
  isChecked: boolean
  /** Whether only some of its items are selected. */
  isMixed?: boolean
  isDisabled: boolean
  onChange: (isChecked: boolean) => void
}

function Checkbox({ children, isChecked, isMixed = false, isDisabled, onChange }: CheckboxProps): React.ReactElement {
  const input = React.useRef<HTMLInputElement>(null)
  React.useLayoutEffect(() => {
    if (input.current) input.current.indeterminate = isMixed
  })
  return (
    <label className="us-review-label">
      <input
        ref={input}
        type="checkbox"
        checked={isChecked}
        disabled={isDisabled}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
      {children}
    </label>
  )
}
