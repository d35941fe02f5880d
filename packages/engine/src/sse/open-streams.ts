import type { ServerSentEventClient } from './event-stream-client.ts'

/** The clients of open streams, by the ids of their requests. */
export const openStreams: Map<string, Pick<ServerSentEventClient, 'send'>> = new Map()

/**
 * How many streams handlers have broken with `client.error()`, by URL without a hash. A service worker does not tell the
 * page whether a stream broke or the network failed.
 */
export const brokenStreams: Map<string, number> = new Map()
