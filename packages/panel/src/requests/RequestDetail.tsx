import type { HeaderList, InspectedBody, LoggedRequest } from '@understudy/engine/inspect'
import * as React from 'react'

import { BodyView } from '../bodies/BodyView.tsx'
import { formatDuration, formatTime } from '../format.ts'
import { NearestList } from '../misses/NearestList.tsx'
import { usePanel } from '../panel-context.ts'
import type { PanelState } from '../panel-host.ts'
import { Place } from '../Place.tsx'
import { describeOutcome } from './describe-outcome.ts'
import { useRequestDetails } from './use-request-details.ts'

interface RequestDetailProps {
  request: LoggedRequest
  state: PanelState
  onClose: () => void
}

/** One request at length. */
export function RequestDetail({ request, state, onClose }: RequestDetailProps): React.ReactElement {
  const { kit } = usePanel()
  const details = useRequestDetails(request.id, state)
  const by = state.handlers.find(({ id }) => id === request.handler?.id)
  return (
    <section
      className="us-detail"
      aria-label={`${request.method} ${request.url}`}
      onKeyDown={(event) => {
        if (event.key === 'Escape') onClose()
      }}
    >
      <div className="us-detail-bar">
        <h2 className="us-detail-title">
          <span className="us-method">{request.method}</span> {request.url}
        </h2>
        <kit.Button isPlain ariaLabel="Close the request" onClick={onClose}>
          ✕
        </kit.Button>
      </div>
      <dl className="us-facts">
        {request.name !== null && <Fact name="Operation">{request.name}</Fact>}
        <Fact name="Outcome">{describeOutcome(request)}</Fact>
        {request.handler && (
          <Fact name="Handler">
            <code>{request.handler.header}</code> {by ? <Place place={by.origin} /> : '(replaced since)'}
          </Fact>
        )}
        {request.error !== null && <Fact name="Reason">{request.error}</Fact>}
        <Fact name="Decided">
          {formatTime(request.startedAt)}, after {formatDuration(request.duration)}
        </Fact>
      </dl>
      {request.suggestion !== null && <NearestList request={request} state={state} />}
      {request.outcome === 'mocked' && (
        <Message
          title="Response"
          headers={details?.headers?.response}
          body={details?.bodies.response}
          missing={details ? 'No body, or it was not kept: bodies are kept while a panel is open.' : 'Loading'}
        />
      )}
      <Message
        title="Request"
        headers={details?.headers?.request}
        body={details?.bodies.request}
        missing={
          request.method === 'GET' || request.method === 'HEAD'
            ? undefined
            : details
              ? 'No body, or it was not kept: bodies are kept while a panel is open.'
              : 'Loading'
        }
      />
    </section>
  )
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
  /** What stands in the place of a body that is not there. */
  missing: string | undefined
}

function Message({ title, headers, body, missing }: MessageProps): React.ReactElement {
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
      {body ? <BodyView body={body} of={title} /> : missing && <p className="us-muted">{missing}</p>}
    </section>
  )
}
