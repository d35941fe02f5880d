import type { LoggedRequest } from '@understudy/engine/inspect'

/** Describes the outcome of a request in a sentence. */
export function describeOutcome(request: LoggedRequest): string {
  const { outcome, status, statusText, handler, forced, thrown, noResponse, suggestion } = request
  const answer = `${status}${statusText ? ` ${statusText}` : ''}`
  const network = status === null ? 'Sent to the network' : `Sent to the network, which answered ${answer}`
  switch (outcome) {
    case 'pending':
      return handler ? "Pending: a handler's resolver is running" : 'Pending'
    case 'mocked':
      if (thrown) return `Answered with ${answer}, because the resolver threw`
      if (forced?.isEdited) return `Answered by a handler, with an edited response: ${answer}`
      if (forced?.status !== undefined) return `Answered by a handler, with a forced status: ${answer}`
      return `Answered by a handler: ${answer}`
    case 'network-error':
      if (forced?.networkError) return 'Failed with a forced network error'
      return handler ? 'Failed: a handler returned a network error' : 'Failed: no handler answered'
    case 'passthrough':
      if (noResponse.length > 0) return `${network}: the resolver returned no response`
      return handler ? `${network}: a handler let it through` : `${network}: bypassed the handlers`
    case 'unhandled':
      return suggestion === null ? `${network}: an asset without a handler` : `${network}: no handler matched`
  }
}

/** The words before the time that a request took until its outcome was known. */
export function describeTiming(outcome: LoggedRequest['outcome']): string {
  if (outcome === 'pending') return 'pending for'
  return `${outcome === 'mocked' ? 'answered' : outcome === 'network-error' ? 'failed' : 'sent'} after`
}
