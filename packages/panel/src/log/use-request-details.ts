import type { InspectedBody, RequestDetails } from '@understudy/engine/inspect'
import * as React from 'react'

import { usePanel } from '../panel-context.ts'
import type { PanelState } from '../panel-host.ts'

/**
 * Returns headers and bodies of a request, or the messages of a connection. `null`: they have not arrived yet.
 *
 * @param isUnderWay whether more data may arrive, so that they are read again after every change of the network
 */
export function useRequestDetails(id: string, state: PanelState, isUnderWay: boolean): RequestDetails | null {
  const { host } = usePanel()
  const [known, setKnown] = React.useState<{ details: RequestDetails; isLast: boolean } | null>(null)
  const isFinal = known !== null && known.isLast && isComplete(known.details)
  // A network that received more bytes sends a new state.
  const version = isFinal ? null : state
  React.useEffect(() => {
    if (version === null) return undefined
    let isWanted = true
    host.details(id).then(
      (details) => isWanted && setKnown({ details, isLast: !isUnderWay }),
      // The network is closed. Keep the known data of the request.
      () => {},
    )
    return () => {
      isWanted = false
    }
  }, [host, id, version, isUnderWay])
  return known?.details ?? null
}

function isComplete({ bodies }: RequestDetails): boolean {
  return isWhole(bodies.request) && isWhole(bodies.response)
}

function isWhole(body: InspectedBody | null): boolean {
  return body?.isComplete ?? true
}
