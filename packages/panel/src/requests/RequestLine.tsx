import type { LoggedRequest } from '@understudy/engine/inspect'
import * as React from 'react'

import { formatDuration, formatTime, formatUrl } from '../format.ts'
import { Status } from './Status.tsx'

/** A request, on a line of the log. */
export function RequestLine({
  request,
  pageUrl,
}: {
  request: LoggedRequest
  pageUrl: string | null
}): React.ReactElement {
  const { origin, path } = formatUrl(request.url, pageUrl)
  return (
    <div className="us-request">
      <Status request={request} />
      <span className="us-method">{request.method}</span>
      <span className="us-request-url" title={request.url}>
        {request.name !== null && <strong className="us-request-name">{request.name} </strong>}
        {origin && <span className="us-muted">{origin}</span>}
        {path}
      </span>
      <span className="us-request-by">{request.handler?.header ?? ''}</span>
      <span className="us-request-duration">{formatDuration(request.duration)}</span>
      <time className="us-request-time">{formatTime(request.startedAt)}</time>
    </div>
  )
}
