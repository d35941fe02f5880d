import type { LoggedRequest } from '@understudy/engine/inspect'

/** What became of a request, in a sentence. */
export function describeOutcome({ outcome, status, statusText, handler, suggestion }: LoggedRequest): string {
  switch (outcome) {
    case 'mocked':
      return `Answered by a handler: ${status}${statusText ? ` ${statusText}` : ''}`
    case 'network-error':
      return handler ? 'A handler failed it, as when the host cannot be reached' : 'Failed: no handler answered'
    case 'passthrough':
      return handler ? 'A handler let it pass to the network' : 'Sent to the network past all handlers'
    case 'unhandled':
      return suggestion === null
        ? 'Sent to the network: an asset without a handler'
        : 'Sent to the network: no handler matched'
  }
}
