import { STATUS_CODES, type IncomingMessage, type ServerResponse } from 'node:http'

import { print } from '../../core/failure.ts'
import { mayBeginCoding } from '../../core/fetch/content-coding.ts'
import { isFetched } from '../../core/fetch/is-fetched.ts'
import { discardBody } from '../../core/handlers/finalizers.ts'
import { knownBodyOf } from '../../core/responses/http-response.ts'
import { unsendable, writtenHeadersOf } from '../../core/responses/written-headers.ts'
import { afterTurns, breakOff, breakOffMalformed, nextTurn } from './break-off.ts'
import type { Connection } from './connection.ts'
import { drained, isLast } from './real-request.ts'

/** How many turns of the event loop a Blob takes to give its bytes. The head of a body that takes longer is sent before. */
const turnsOfFirstPiece = 3

/** Answers a request of a client with a mocked response, framed as Node's own server frames it. */
export async function sendMocked(
  response: Response,
  connection: Connection,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  const { status, body } = response
  const headers = rawHeadersOf(response)
  outgoing.sendDate = false
  if ((connection.isRetired && !connection.queue?.isAwaited) || isLast(outgoing)) outgoing.shouldKeepAlive = false
  // The client's default needs no header.
  if (incoming.httpVersion === '1.1' && outgoing.shouldKeepAlive) outgoing.removeHeader('connection')
  const isBodiless = incoming.method === 'HEAD' || status === 204 || status === 304
  if (isBodiless || body === null) {
    discardBody(body)
    if (!isBodiless) setLength(headers, 0, incoming)
    await nextTurn()
    if (writeHead(outgoing, response, headers, connection, incoming)) outgoing.end()
    return
  }
  const known = knownBodyOf(response)
  if (known && valueIn(headers, 'content-encoding') === undefined) {
    // Reading the stream would take as long as finding the response. As a body that was read, it can be sent once.
    discardBody(body)
    setLength(headers, known.length, incoming)
    await nextTurn()
    if (writeHead(outgoing, response, headers, connection, incoming)) outgoing.end(known.text)
    return
  }
  const reader = body.getReader()
  let isSent = false
  outgoing.once('close', () => {
    // The client may leave while the body waits for its next piece.
    if (!isSent) void reader.cancel().catch(() => {})
  })
  try {
    const reading = reader.read()
    const coding = valueIn(headers, 'content-encoding')
    const first = await (coding === undefined ? Promise.race([reading, afterTurns(turnsOfFirstPiece)]) : reading)
    if (first?.done) {
      setLength(headers, 0, incoming)
      await nextTurn()
      if (writeHead(outgoing, response, headers, connection, incoming)) outgoing.end()
      return
    }
    if (coding !== undefined && first && !mayBeginCoding(coding, first.value)) {
      remove(headers, 'content-encoding')
      remove(headers, 'content-length')
    }
    // A body that was available as a whole has ended by then.
    let isWhole = false
    const next = first && reader.read()
    next?.then(
      ({ done }) => {
        isWhole = done
      },
      () => {},
    )
    await nextTurn()
    if (first && isWhole) setLength(headers, first.value.byteLength, incoming)
    if (!writeHead(outgoing, response, headers, connection, incoming)) return
    if (first && isWhole) {
      outgoing.end(first.value)
      return
    }
    // The body may wait until the client has the head.
    if (!first) outgoing.flushHeaders()
    const length = valueIn(headers, 'content-length')
    const declared = length === undefined ? undefined : Number(length)
    let left = declared ?? Infinity
    let step: ReadableStreamReadResult<Uint8Array> = await reading
    while (!step.done) {
      const { value } = step
      const piece = value.byteLength > left ? value.subarray(0, left) : value
      left -= value.byteLength
      if (piece.byteLength > 0 && !outgoing.write(piece)) await drained(outgoing)
      if (outgoing.destroyed || left < 0) break
      const following = (step === first && next) || reader.read()
      // A stream that does not end must not keep the connection if the client has all of it. Fake timers that replace
      // `queueMicrotask` keep the platform's streams from ending.
      const result = left === 0 ? await Promise.race([following, afterTurns(turnsOfFirstPiece)]) : await following
      if (!result) {
        isSent = true
        // The client has the whole body, so an error of the rest has no reader.
        following.then(({ done }) => (done ? undefined : reader.cancel())).catch(() => {})
        break
      }
      step = result
    }
    if (outgoing.destroyed) {
      await reader.cancel()
      return
    }
    if (declared !== undefined && left !== 0) {
      reportLength(incoming, declared, left < 0 ? `more than ${declared}` : String(declared - left))
      if (left < 0) await reader.cancel().catch(() => {})
      // Otherwise, a client waits forever for the rest.
      else {
        await breakOff(outgoing)
        return
      }
    }
    outgoing.end()
  } catch (error) {
    await (isMalformed(error) ? breakOffMalformed(outgoing) : breakOff(outgoing))
  }
}

/**
 * Writes the head. If Node refuses a header, reports this, and the client gets the status 500.
 *
 * @returns whether the head was written
 */
function writeHead(
  outgoing: ServerResponse,
  { status, statusText }: Response,
  headers: string[],
  { origin }: Connection,
  { method, url }: IncomingMessage,
): boolean {
  try {
    // The platform's `Response` has an empty text. A server sends the standard one.
    outgoing.writeHead(status, statusText || (STATUS_CODES[status] ?? ''), headers)
    return true
  } catch (cause) {
    const { message } = unsendable(method, `${origin}${url}`, cause)
    print.failure(message)
    // Otherwise, Node keeps the text of the mocked status.
    outgoing.statusMessage = ''
    refuse(outgoing, 500, message)
    return false
  }
}

/** Returns whether a body failed with the error of `fetch` for a malformed chunk. */
function isMalformed(error: unknown): boolean {
  return ((error as { cause?: { name?: unknown } } | undefined)?.cause?.name ?? '') === 'HTTPParserError'
}

/**
 * Returns the headers as alternating names and values. Removes headers that frame the body, because Node sets them, and
 * `Trailer`: a mocked response has no trailers, and Node refuses the header for a body with a length. The
 * body of a response of `fetch` is already decoded, so its coding and its length are removed, too: a client would fail
 * to decode it again.
 */
function rawHeadersOf(response: Response): string[] {
  const isDecoded = isFetched(response) && response.headers.has('content-encoding')
  const headers: string[] = []
  for (const [name, value] of writtenHeadersOf(response)) {
    const key = name.toLowerCase()
    if (
      key === 'transfer-encoding' ||
      key === 'trailer' ||
      (isDecoded && (key === 'content-encoding' || key === 'content-length'))
    )
      continue
    headers.push(name, value)
  }
  return headers
}

/** Returns the index of a header's name in a list of names and values; -1 if it is missing. */
function indexOf(headers: readonly string[], name: string): number {
  return headers.findIndex((text, index) => index % 2 === 0 && text.toLowerCase() === name)
}

function valueIn(headers: readonly string[], name: string): string | undefined {
  const index = indexOf(headers, name)
  return index === -1 ? undefined : headers[index + 1]
}

function remove(headers: string[], name: string): void {
  const index = indexOf(headers, name)
  if (index !== -1) headers.splice(index, 2)
}

/** Sets the actual length of a body. */
function setLength(headers: string[], length: number, incoming: IncomingMessage): void {
  const index = indexOf(headers, 'content-length')
  if (index === -1) {
    headers.push('Content-Length', String(length))
    return
  }
  const declared = headers[index + 1] ?? ''
  if (declared === String(length)) return
  reportLength(incoming, declared, String(length))
  headers[index + 1] = String(length)
}

const reported = new Set<string>()

function reportLength({ method, url = '' }: IncomingMessage, declared: number | string, length: string): void {
  const key = `${method} ${url.split('?', 1)[0]}`
  if (reported.has(key) || reported.size > 1000) return
  reported.add(key)
  print.warn(
    'US0222',
    `The mocked response to ${method} ${url} declares a Content-Length of ${declared}, but its body has ${length} bytes. ` +
      'Understudy sends the true length. Remove the header, for example by response.headers.delete("content-length").',
  )
}

/** Responds to invalid data with an error status. */
export function refuse(outgoing: ServerResponse, status: number, reason: string): void {
  const body = `${STATUS_CODES[status]}: ${reason}\n`
  outgoing.shouldKeepAlive = false
  outgoing.writeHead(status, { 'content-type': 'text/plain', 'content-length': Buffer.byteLength(body) })
  outgoing.end(body)
}
