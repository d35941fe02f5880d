import { describe } from '../describe.ts'
import { failure } from '../failure.ts'
import { HttpResponse } from './http-response.ts'
import { writtenHeadersOf } from './written-headers.ts'

/** The connection closes before the body ends. */
export interface TruncatedBody {
  kind: 'truncated-body'
  /** The number of bytes of the body that arrive. Default: half of the body, rounded down. */
  after?: number
}

/** The body is sent in chunks, and one of them has a size that is not a number. */
export interface MalformedChunk {
  kind: 'malformed-chunk'
  /** The number of bytes of the body that arrive. Default: half of the body, rounded down. */
  after?: number
}

/** The whole body arrives, in small chunks. */
export interface SlowChunks {
  kind: 'slow-chunks'
  /** The size of each chunk in bytes. Default: 64. */
  chunkSize?: number
  /** Milliseconds before each chunk. Default: 100. */
  interval?: number
}

/** A fault of the body of a response. */
export type BodyFault = TruncatedBody | MalformedChunk | SlowChunks

/**
 * Returns a copy of a response whose body fails or arrives slowly. The client gets the status and headers first.
 *
 * @throws {UnderstudyError} if the response has no body, the kind is unknown, or a number is out of range
 * @example
 * http.get('/report', () => withFault(HttpResponse.json(report), { kind: 'truncated-body', after: 10 }))
 * @see https://www.rfc-editor.org/rfc/rfc9112#name-handling-incomplete-message
 */
export function withFault<Body>(response: HttpResponse<Body>, fault: BodyFault): HttpResponse<Body>
export function withFault(response: Response, fault: BodyFault): HttpResponse
export function withFault(response: Response, fault: BodyFault): HttpResponse {
  const { body, status, statusText } = response
  if (!body) throw refused('the response has no body', 'Give it a body, or use HttpResponse.error()')
  // A body is sent in chunks only if no length is declared.
  const headers = writtenHeadersOf(response).filter(
    ([name]) => fault.kind !== 'malformed-chunk' || name.toLowerCase() !== 'content-length',
  )
  return new HttpResponse(toFaulty(body, fault), { status, statusText, headers })
}

function toFaulty(body: ReadableStream<Uint8Array>, fault: BodyFault): ReadableStream<Uint8Array> {
  switch (fault.kind) {
    case 'truncated-body':
      return breakOff(body, checked('after', fault.after, 0), 'SocketError', 'other side closed', 'UND_ERR_SOCKET')
    case 'malformed-chunk':
      return breakOff(body, checked('after', fault.after, 0), 'HTTPParserError', 'Invalid character in chunk size')
    case 'slow-chunks':
      return slow(body, checked('chunkSize', fault.chunkSize, 1) ?? 64, checked('interval', fault.interval, 0) ?? 100)
    default:
      throw refused(
        `${describe((fault as { kind?: unknown }).kind)} is not a kind of fault`,
        'Use "truncated-body", "malformed-chunk" or "slow-chunks"',
      )
  }
}

/**
 * @param after the number of bytes that arrive before the failure
 * @param name of the error that is the cause in Node's `fetch`
 */
function breakOff(
  body: ReadableStream<Uint8Array>,
  after: number | undefined,
  name: string,
  message: string,
  code?: string,
): ReadableStream<Uint8Array> {
  return pull(
    (async function* () {
      const bytes = await toBytes(body)
      const arrived = bytes.subarray(0, after ?? Math.floor(bytes.length / 2))
      // Status and headers arrive before the connection fails, even if no byte of the body does.
      yield arrived
      // A reader gets the arrived bytes before it sees the failure.
      await turn(0)
      const cause = Object.assign(new Error(message), { name }, code && { code })
      throw new TypeError('terminated', { cause })
    })(),
  )
}

function slow(body: ReadableStream<Uint8Array>, chunkSize: number, interval: number): ReadableStream<Uint8Array> {
  return pull(
    (async function* () {
      const bytes = await toBytes(body)
      for (let start = 0; start < bytes.length; start += chunkSize) {
        await turn(interval)
        yield bytes.subarray(start, start + chunkSize)
      }
    })(),
  )
}

/** Creates a stream that gets a chunk when its reader wants one, and stops when its reader cancels. */
function pull(chunks: AsyncGenerator<Uint8Array>): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const step: IteratorResult<Uint8Array, unknown> = await chunks.next()
        if (step.done) controller.close()
        else controller.enqueue(step.value)
      },
      async cancel() {
        await chunks.return(undefined)
      },
    },
    { highWaterMark: 0 },
  )
}

async function toBytes(body: ReadableStream<Uint8Array>): Promise<Uint8Array> {
  return new Uint8Array(await new Response(body as ReadableStream<Uint8Array<ArrayBuffer>>).arrayBuffer())
}

function turn(milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, milliseconds)
  })
}

function checked(name: string, value: number | undefined, least: number): number | undefined {
  if (value === undefined || (Number.isInteger(value) && value >= least && value <= 2_147_483_647)) return value
  throw refused(`${name} is ${describe(value)}`, `Pass an integer from ${least} to 2147483647`)
}

function refused(reason: string, action: string): Error {
  return failure('US0210', 'add a fault to a response', reason, `${action}.`)
}
