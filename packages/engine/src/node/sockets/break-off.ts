import type { ServerResponse } from 'node:http'
import { setImmediate } from 'node:timers'

/**
 * Ends the connection before the response is complete. The client first reads the bytes that were written.
 *
 * @param bytes sent before the end, without framing
 */
export async function breakOff(outgoing: ServerResponse, bytes?: string | Buffer): Promise<void> {
  // Otherwise, Node keeps the head until the first byte of the body, and it would be lost.
  if (outgoing.headersSent) outgoing.flushHeaders()
  if (bytes !== undefined) {
    // Bytes of the body may not be forwarded yet, and Node 26 itself keeps the chunks of this turn.
    await nextTurn()
    outgoing.socket?.write(bytes)
  }
  await nextTurn()
  outgoing.destroy()
}

/** Ends the connection after an invalid chunk, if the body is sent in chunks. */
export function breakOffMalformed(outgoing: ServerResponse): Promise<void> {
  return breakOff(outgoing, outgoing.chunkedEncoding ? 'malformed\r\n' : undefined)
}

/** Lets timers run between consecutive requests, as they would with a network. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve)
  })
}

export async function afterTurns(count: number): Promise<undefined> {
  for (let turn = 0; turn < count; turn += 1) await nextTurn()
}
