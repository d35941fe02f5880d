import type { ServerSentEventClient } from './event-stream-client.ts'

/** The clients of open streams, by the ids of their requests. */
export const openStreams: Map<string, Pick<ServerSentEventClient, 'send'>> = new Map()
