import type { HeaderList, InspectedBody, LoggedRequest, RequestDetails } from '@understudy/engine/inspect'
import * as React from 'react'

import { BodyView } from '../bodies/BodyView.tsx'
import { LongText } from '../bodies/LongText.tsx'
import { SendForm } from '../connections/SendForm.tsx'
import { CopyButton } from '../CopyButton.tsx'
import { createLazy } from '../create-lazy.tsx'
import { decodeUrl } from '../decode-url.ts'
import { formatTime } from '../format.ts'
import { findHandler, toExchange, toSaveError } from '../handler-code/to-exchange.ts'
import { toCurl, toFetch, toHandler } from '../log/copy-as.ts'
import { describeOutcome } from '../log/describe-outcome.ts'
import { useRequestDetails } from '../log/use-request-details.ts'
import { withoutPlace } from '../log/without-place.ts'
import { Method } from '../Method.tsx'
import type { ResponseEdit } from '../overrides/response-draft.ts'
import { usePanel } from '../panel-context.ts'
import type { PanelState } from '../panel-host.ts'
import { Place } from '../Place.tsx'
import { NearestList } from '../unhandled/NearestList.tsx'
import { useKept } from '../use-kept.ts'
import { Timeline } from './Timeline.tsx'

const ResponseEditor = createLazy(
  async () => (await import('../overrides/ResponseEditor.tsx')).ResponseEditor,
  'the editor',
)
const StackTrace = createLazy(async () => (await import('./StackTrace.tsx')).StackTrace, 'the error')

interface RequestDetailProps {
  request: LoggedRequest
  state: PanelState
  onClose: () => void
}

/** Shows the details of one request. */
export function RequestDetail({ request, state, onClose }: RequestDetailProps): React.ReactElement {
  const { kit, change, host, save, fail } = usePanel()
  // Kept while another tab of the panel is open.
  const [edited, setEdited] = useKept<ResponseEdit | null>(`edited response of ${request.id}`, null)
  const details = useRequestDetails(request.id, state, request.duration === null || isAwaited(request))
  const by = state.handlers.find(({ id }) => id === request.handler?.id)
  const isLong = request.url.length > urlLimit
  const url = decodeUrl(isLong ? `${request.url.slice(0, urlLimit)}…` : request.url)
  const successor = findHandler(request.handler, state)
  // While the app reloads, there are no handlers. Keep the editor with the typed text.
  const [editable, setEditable] = React.useState(successor)
  if (successor && successor !== editable) setEditable(successor)

  function saveHandler(of: RequestDetails): void {
    const exchange = toExchange(request, of, host)
    if (exchange) save?.([exchange])
    else fail(toSaveError(request, of))
  }

  return (
    <section
      className="us-detail"
      aria-label={`${request.method} ${url}`}
      onKeyDown={(event) => {
        if (event.key === 'Escape') onClose()
      }}
    >
      <div className="us-detail-bar">
        <h2 className="us-detail-title">
          <Method>{request.method}</Method> {url}
        </h2>
        <kit.Button isPlain ariaLabel="Close the request" onClick={onClose}>
          ✕
        </kit.Button>
      </div>
      <dl className="us-facts">
        {request.name !== null && <Fact name="Operation">{request.name}</Fact>}
        {request.graphqlErrors?.map((message, index) => (
          <Fact key={`${message} ${index}`} name="GraphQL error">
            {message}
          </Fact>
        ))}
        <Fact name="Outcome">{describeOutcome(request)}</Fact>
        {request.handler && (
          <Fact name="Handler">
            <code>{request.handler.header}</code> {by ? <Place place={by.origin} /> : '(replaced since)'}
          </Fact>
        )}
        {request.error !== null && <Fact name="Reason">{withoutPlace(request.error, request.handler)}</Fact>}
        {request.noResponse.map(({ id, header }, index) => (
          <Fact key={`${id} ${index}`} name="No response">
            <code>{header}</code> matched, but its resolver returned no response.
          </Fact>
        ))}
        <Fact name="Started">{formatTime(request.startedAt)}</Fact>
        <Fact name="Timing">
          <Timeline request={request} isAwaited={isAwaited(request)} />
        </Fact>
      </dl>
      <div className="us-actions">
        {editable && request.outcome === 'mocked' && (
          <kit.Button
            isExpanded={edited !== null}
            isDisabled={!details}
            onClick={() => setEdited(edited || !details ? null : { request, details, draft: null })}
          >
            Edit response
          </kit.Button>
        )}
        {by?.override && (
          <kit.Button isPlain ariaLabel={`Reset ${by.header}`} onClick={() => change(by.id, { override: null })}>
            Reset
          </kit.Button>
        )}
        {save && details && (request.status ?? 0) >= 200 && (
          <kit.Button onClick={() => saveHandler(details)}>Save as handler</kit.Button>
        )}
        <span className="us-copies">
          <span className="us-label">Copy as</span>
          <CopyButton text={() => toCurl(request, details)} what="the request as cURL">
            cURL
          </CopyButton>
          <CopyButton text={() => toFetch(request, details)} what="the request as fetch">
            fetch
          </CopyButton>
          {request.status !== null && (
            <CopyButton text={() => toHandler(request, details, state.info.url)} what="the response as a handler">
              handler
            </CopyButton>
          )}
        </span>
      </div>
      {editable && edited && <ResponseEditor handler={editable} edit={edited} onChange={setEdited} />}
      {request.thrown && <StackTrace error={request.thrown} origin={by?.origin ?? null} />}
      {request.suggestion !== null && <NearestList request={request} state={state} />}
      {request.status !== null && (
        <Message
          title="Response"
          headers={details?.headers?.response}
          body={details?.bodies.response}
          extra={
            isOpenStream(request, details?.bodies.response) && by ? <SendForm id={request.id} what="event" /> : null
          }
          missing={details ? (hasNoBody(request) ? 'No body' : missingBody) : 'Loading'}
        />
      )}
      <Message
        title="Request"
        headers={details?.headers?.request}
        extra={isLong && <LongText ariaLabel="URL" text={request.url} />}
        body={details?.bodies.request}
        missing={request.method === 'GET' || request.method === 'HEAD' ? undefined : details ? missingBody : 'Loading'}
      />
    </section>
  )
}

const missingBody = 'No body, or it was sent while no panel was open.'

/** Longer URLs would leave no space for the details. They are shown in full with the request. */
const urlLimit = 400

/** Returns whether the response cannot have a body. Source: RFC 9110, section 6.4.1. */
function hasNoBody({ method, status }: LoggedRequest): boolean {
  return method === 'HEAD' || status === 204 || status === 205 || status === 304
}

/** Returns whether the response of the network may still arrive. */
function isAwaited({ outcome, status, startedAt, partOf }: LoggedRequest): boolean {
  const isSent = outcome === 'passthrough' || outcome === 'unhandled'
  return isSent && status === null && !partOf && Date.now() - startedAt < 60_000
}

/** Returns whether the response is an event stream of `sse()` that has not ended. */
function isOpenStream({ handler }: LoggedRequest, body: InspectedBody | null | undefined): boolean {
  return body?.isComplete === false && handler?.header.startsWith('SSE ') === true
}

function Fact({ name, children }: { name: string; children: React.ReactNode }): React.ReactElement {
  return (
    <div className="us-fact">
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}

interface MessageProps {
  title: string
  headers: HeaderList | null | undefined
  body: InspectedBody | null | undefined
  /** The content above the body. */
  extra?: React.ReactNode
  /** The text to show if there is no body. */
  missing: string | undefined
}

function Message({ title, headers, body, missing, extra }: MessageProps): React.ReactElement {
  return (
    <section className="us-message" aria-label={title}>
      <h3 className="us-message-title">{title}</h3>
      {headers && headers.length > 0 && (
        <details className="us-headers">
          <summary>
            Headers <span className="us-count">{headers.length}</span>
          </summary>
          <dl className="us-facts">
            {headers.map(([name, value], index) => (
              <Fact key={`${name} ${index}`} name={name}>
                {value}
              </Fact>
            ))}
          </dl>
        </details>
      )}
      {extra}
      {body ? <BodyView body={body} of={title} /> : missing && <p className="us-muted">{missing}</p>}
    </section>
  )
}
