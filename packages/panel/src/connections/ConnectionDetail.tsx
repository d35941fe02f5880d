import type { LoggedConnection, LoggedFrame } from '@understudy/engine/inspect'
import * as React from 'react'

import { formatMoment, formatSize, formatTime } from '../format.ts'
import { Elapsed } from '../log/Elapsed.tsx'
import { useRequestDetails } from '../log/use-request-details.ts'
import { Method } from '../Method.tsx'
import { usePanel } from '../panel-context.ts'
import type { PanelState } from '../panel-host.ts'
import { SendForm } from './SendForm.tsx'

interface ConnectionDetailProps {
  connection: LoggedConnection
  state: PanelState
  onClose: () => void
}

/** Shows one WebSocket connection: its messages, and a field to send a message to the app. */
export function ConnectionDetail({ connection, state, onClose }: ConnectionDetailProps): React.ReactElement {
  const { kit } = usePanel()
  const details = useRequestDetails(connection.id, state, connection.state !== 'closed')
  const frames = details?.frames ?? []
  const { startedAt, closedAfter, code, reason, sent, received } = connection
  return (
    <section
      className="us-detail"
      aria-label={`WebSocket ${connection.url}`}
      onKeyDown={(event) => {
        if (event.key === 'Escape') onClose()
      }}
    >
      <div className="us-detail-bar">
        <h2 className="us-detail-title">
          <Method>WS</Method> {connection.url}
        </h2>
        <kit.Button isPlain ariaLabel="Close the connection's details" onClick={onClose}>
          ✕
        </kit.Button>
      </div>
      <dl className="us-facts">
        <Fact name="State">
          {connection.state}
          {code !== null && ` with code ${code}${reason ? `: ${reason}` : ''}`}
        </Fact>
        <Fact name="Handlers">
          <code>{connection.handlers.join(', ')}</code>
        </Fact>
        <Fact name="Started">{formatTime(startedAt)}</Fact>
        <Fact name="Duration">
          <Elapsed startedAt={startedAt} duration={closedAfter} />
        </Fact>
      </dl>
      {connection.state === 'open' && <SendForm id={connection.id} what="message" />}
      <section className="us-message" aria-label="Messages">
        <h3 className="us-message-title">
          Messages <span className="us-count">{`${sent} sent, ${received} received`}</span>
        </h3>
        {frames.length === 0 ? (
          <p className="us-muted">{details ? 'No messages yet.' : 'Loading'}</p>
        ) : (
          <ol className="us-frames" role="list">
            {frames.toReversed().map((frame) => (
              <Frame key={frame.id} frame={frame} />
            ))}
          </ol>
        )}
      </section>
    </section>
  )
}

function Frame({ frame }: { frame: LoggedFrame }): React.ReactElement {
  const { direction, at, size } = frame
  return (
    <li className="us-frame" data-direction={direction}>
      <span className="us-frame-mark" title={direction} aria-label={direction}>
        {direction === 'sent' ? '↑' : '↓'}
      </span>
      <span className="us-frame-text">{frame.text ?? `Binary message ${frame.hex ?? ''}`}</span>
      <span className="us-muted">{formatSize(size)}</span>
      <time className="us-muted">{formatMoment(at)}</time>
    </li>
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
