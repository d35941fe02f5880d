import type { ServerResponse } from 'node:http'
import { setImmediate } from 'node:timers'

/**
 * Ends the connection, as a server does that cannot send the rest. The client first reads what was written.
 *
 * @param bytes sent before the end, without framing
 */
export async function breakOff(outgoing: ServerResponse, bytes?: string | Buffer): Promise<void> {
  // A head that waits for the first byte of the body would be lost.
  if (outgoing.headersSent) outgoing.flushHeaders()
  if (bytes !== undefined) outgoing.socket?.write(bytes)
  await nextTurn()
  outgoing.destroy()
}

/** Ends the connection after a chunk that no client can parse, where the body is sent in chunks. */
export function breakOffMalformed(outgoing: ServerResponse): Promise<void> {
  return breakOff(outgoing, outgoing.chunkedEncoding ? 'malformed\r\n' : undefined)
}

/** Lets timers run between consecutive requests, as they would with a network. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve)
  })
}
