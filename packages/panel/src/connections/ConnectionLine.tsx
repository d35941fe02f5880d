import type { LoggedConnection, SearchMatch } from '@understudy/engine/inspect'
import * as React from 'react'

import { decodeUrl } from '../decode-url.ts'
import { formatTime } from '../format.ts'
import { Elapsed } from '../log/Elapsed.tsx'
import { MatchHint } from '../log/MatchHint.tsx'
import { Method } from '../Method.tsx'

const shapes = { connecting: 'pending', open: '2xx', closed: 'passthrough' } as const
const tones = { connecting: 'pending', open: 'positive', closed: undefined } as const

interface ConnectionLineProps {
  connection: LoggedConnection
  pageUrl: string | null
  /** The matches of the filter in the messages that are not in this line. */
  matches: readonly SearchMatch[]
}

/** Shows a WebSocket connection as a line of the log. */
export function ConnectionLine({ connection, pageUrl, matches }: ConnectionLineProps): React.ReactElement {
  const { state, code, url, sent, received, handlers, startedAt, closedAfter } = connection
  const counts = `${sent} sent, ${received} received`
  return (
    <div className="us-request">
      <span className="us-status" data-tone={tones[state]} data-shape={shapes[state]} title={state}>
        {state === 'closed' ? (code ?? 'closed') : state === 'open' ? 'open' : 'pending'}
      </span>
      <Method>WS</Method>
      <span className="us-request-url" title={url}>
        {formatConnectionUrl(url, pageUrl)}{' '}
        <span className="us-muted" title={counts} aria-label={counts}>
          ↑{sent} ↓{received}
        </span>
      </span>
      <span className="us-request-by">{handlers.join(', ')}</span>
      <span className="us-request-duration">
        <Elapsed startedAt={startedAt} duration={closedAfter} />
      </span>
      <time className="us-request-time">{formatTime(startedAt)}</time>
      <MatchHint matches={matches} />
    </div>
  )
}

/** Returns a WebSocket URL for display, without the host if it is the page's. */
function formatConnectionUrl(url: string, pageUrl: string | null): string {
  if (!URL.canParse(url)) return url
  const { host, pathname, search } = new URL(url)
  const isOwn = pageUrl !== null && URL.canParse(pageUrl) && new URL(pageUrl).host === host
  return `${isOwn ? '' : host}${decodeUrl(pathname + search)}`
}
