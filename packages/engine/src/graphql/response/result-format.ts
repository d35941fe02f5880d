/** A message of a subscription: a result, or its end. */
export type ResultFrame =
  | { readonly type: 'next'; readonly payload: unknown }
  /** Ends the subscription with errors. */
  | { readonly type: 'error'; readonly payload: readonly unknown[] }
  | { readonly type: 'complete' }

/** The format of results in the body of one HTTP response. */
export interface ResultFormat {
  readonly contentType: string
  /** The text before the first frame. */
  readonly preamble: string
  write(frame: ResultFrame): string
}

/**
 * The distinct connections mode of GraphQL over server-sent events.
 *
 * @see https://github.com/enisdenjo/graphql-sse/blob/master/PROTOCOL.md#distinct-connections-mode
 */
export const eventStream: ResultFormat = {
  contentType: 'text/event-stream',
  // Some clients and proxies hold a response back until its first byte.
  preamble: ':\n\n',
  write(frame) {
    switch (frame.type) {
      case 'next':
        return `event: next\ndata: ${JSON.stringify(frame.payload)}\n\n`
      case 'error':
        return `event: next\ndata: ${JSON.stringify({ errors: frame.payload })}\n\n${endOfEvents}`
      case 'complete':
        return endOfEvents
    }
  },
}

const endOfEvents = 'event: complete\ndata:\n\n'

/**
 * Subscriptions over multipart HTTP, as Apollo Client asks for them.
 *
 * @see https://www.apollographql.com/docs/graphos/routing/operations/subscriptions/multipart-protocol
 */
const multipart: ResultFormat = {
  contentType: 'multipart/mixed; boundary="graphql"; subscriptionSpec="1.0"',
  preamble: '\r\n--graphql',
  write(frame) {
    switch (frame.type) {
      case 'next':
        return part({ payload: frame.payload })
      case 'error':
        return part({ payload: null, errors: frame.payload }) + endOfParts
      case 'complete':
        return endOfParts
    }
  },
}

const endOfParts = '--\r\n'

function part(message: object): string {
  return `\r\nContent-Type: application/json\r\n\r\n${JSON.stringify(message)}\r\n--graphql`
}

/**
 * Frames as lines of JSON. Used internally for subscriptions over a WebSocket: the request for the handler accepts this
 * format, and the messages of the WebSocket are created from its response.
 */
export const frames: ResultFormat = {
  contentType: 'application/x.understudy-frames',
  preamble: '',
  write: (frame) => `${JSON.stringify(frame)}\n`,
}

/** Returns the format that an `Accept` header asks for. Default: an event stream. */
export function chooseResultFormat(accept: string | null): ResultFormat {
  const asked = accept ?? ''
  if (asked.includes(frames.contentType)) return frames
  if (asked.includes('text/event-stream')) return eventStream
  return asked.includes('multipart/mixed') ? multipart : eventStream
}
