import type { InspectedBody, RequestDetails } from '@understudy/engine/inspect'
import * as React from 'react'

import { usePanel } from '../panel-context.ts'
import type { PanelState } from '../panel-host.ts'

/** Headers and bodies of a request; asked for again as more of its bodies comes. `null`: they are on the way. */
export function useRequestDetails(requestId: string, state: PanelState): RequestDetails | null {
  const { host } = usePanel()
  const [details, setDetails] = React.useState<RequestDetails | null>(null)
  const isFinal = details !== null && isComplete(details.bodies.request) && isComplete(details.bodies.response)
  // A network tells of bytes that came by a new state.
  const version = isFinal ? null : state
  React.useEffect(() => {
    if (version === null) return undefined
    let isWanted = true
    host.details(requestId).then(
      (answer) => isWanted && setDetails(answer),
      // The network is gone: what is known of the request stays.
      () => {},
    )
    return () => {
      isWanted = false
    }
  }, [host, requestId, version])
  return details
}

function isComplete(body: InspectedBody | null): boolean {
  return body?.isComplete ?? true
}
