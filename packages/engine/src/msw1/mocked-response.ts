import { describe } from '../core/describe.ts'
import { failure } from '../core/failure.ts'
import { delay, type DelayMode } from '../core/responses/delay.ts'
import { HttpResponse } from '../core/responses/http-response.ts'
import { passthrough } from '../core/responses/passthrough.ts'

/**
 * A response that transformers (`ctx.status(…)`) compose. It is a plain object that they may change. At the end, it is
 * converted into the platform's `Response`.
 */
export interface MockedResponse<Body = never> {
  /**
   * A string, Blob, FormData, URLSearchParams, ReadableStream, ArrayBuffer or typed array; `null` or `undefined`: no
   * body.
   */
  body: unknown
  status: number
  statusText: string
  headers: Headers
  /** Whether the handler answers only this request. */
  once: boolean
  /** Whether the request goes to the network unchanged. */
  passthrough: boolean
  /** In milliseconds, or a mode of `delay()`. */
  delay?: number | DelayMode
  /** Holds the type of the body, without a value at run time. */
  readonly '~body'?: Body
}

/** Returns whether a resolver's result was created by `res()`, or is a copy of such a result. */
export function isMockedResponse(value: unknown): value is MockedResponse {
  if (typeof value !== 'object' || value === null) return false
  const { status, headers, once } = value as Partial<MockedResponse>
  // Accept headers of another realm (jsdom has its own class).
  return typeof status === 'number' && typeof headers?.append === 'function' && typeof once === 'boolean'
}

/**
 * Creates the platform's response, after the delay.
 *
 * @throws {UnderstudyError} if no response can have the body
 */
export async function toResponse(mocked: MockedResponse): Promise<Response> {
  if (mocked.passthrough) return passthrough()
  if (mocked.delay) await delay(mocked.delay)
  const { status, statusText, headers } = mocked
  // Responses with these statuses have no body (https://fetch.spec.whatwg.org/#null-body-status).
  const hasBody = ![204, 205, 304].includes(status)
  return new HttpResponse(hasBody ? toBodyInit(mocked.body) : null, { status, statusText, headers })
}

function toBodyInit(body: unknown): BodyInit | null {
  if (body === null || body === undefined) return null
  if (typeof body === 'string') return body
  if (typeof body === 'number' || typeof body === 'boolean') return String(body)
  const isSent =
    ArrayBuffer.isView(body) ||
    ['ArrayBuffer', 'Blob', 'File', 'FormData', 'ReadableStream', 'URLSearchParams'].includes(
      Object.prototype.toString.call(body).slice('[object '.length, -1),
    )
  if (isSent) return body as BodyInit
  throw failure(
    'US0219',
    'compose a response',
    `its body is ${describe(body)}`,
    'Use ctx.json(…), or pass ctx.body() a string, a Blob or another body that Response accepts.',
  )
}
