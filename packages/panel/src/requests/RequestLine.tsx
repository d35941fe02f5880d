import type { LoggedRequest, SearchMatch } from '@understudy/engine/inspect'
import * as React from 'react'

import { formatCount, formatTime, formatUrl, splitHeader } from '../format.ts'
import { Elapsed } from '../log/Elapsed.tsx'
import { MatchHint } from '../log/MatchHint.tsx'
import { Status } from '../log/Status.tsx'
import { Method } from '../Method.tsx'
import { usePanel } from '../panel-context.ts'

interface RequestLineProps {
  request: LoggedRequest
  pageUrl: string | null
  /** The matches of the filter in the details that are not in this line. */
  matches: readonly SearchMatch[]
}

/** Shows a request as a line of the log. It is rendered again only if the request has changed. */
export const RequestLine: React.ComponentType<RequestLineProps> = React.memo(Line)

function Line({ request, pageUrl, matches }: RequestLineProps): React.ReactElement {
  const { kit } = usePanel()
  const { graphqlErrors = [] } = request
  const [type, operation] = splitHeader(request.name ?? '')
  const { origin, path } = formatUrl(request.url, pageUrl)
  return (
    <div className="us-request">
      <Status request={request} />
      <Method>{request.method}</Method>
      <span className="us-request-url" title={request.url}>
        {graphqlErrors.length > 0 && (
          <>
            <kit.Badge tone="negative" title={graphqlErrors.join('\n')}>
              {formatCount(graphqlErrors.length, 'error')}
            </kit.Badge>{' '}
          </>
        )}
        {request.isRecorded && (
          <>
            <kit.Badge tone="information">recorded</kit.Badge>{' '}
          </>
        )}
        {request.name !== null && (
          <>
            {type && <span className="us-operation-type">{type} </span>}
            <strong>{operation} </strong>
          </>
        )}
        {origin && <span className="us-muted">{origin}</span>}
        {path}
      </span>
      <span className="us-request-by">{request.handler?.header ?? ''}</span>
      <span className="us-request-duration">
        <Elapsed startedAt={request.startedAt} duration={request.duration} />
      </span>
      <time className="us-request-time">{formatTime(request.startedAt)}</time>
      {matches.length > 0 && <MatchHint matches={matches} />}
    </div>
  )
}
