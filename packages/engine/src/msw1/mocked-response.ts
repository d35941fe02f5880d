import { failure } from '../core/failure.ts'
import { describe } from '../core/handlers/check-handlers.ts'
import { delay, type DelayMode } from '../core/responses/delay.ts'
import { HttpResponse } from '../core/responses/http-response.ts'
import { passthrough } from '../core/responses/passthrough.ts'

/**
 * A response while transformers (`ctx.status(…)`) put it together. It is plain and may be changed freely;
 * the platform's `Response` is made of it at the end.
 */
export interface MockedResponse<Body = never> {
  /** String, Blob, FormData, URLSearchParams, ReadableStream, ArrayBuffer, typed array, or nothing. */
  body: unknown
  status: number
  statusText: string
  headers: Headers
  /** Whether the handler answers this one request and no other. */
  once: boolean
  /** Whether the request is performed as it is. */
  passthrough: boolean
  /** Milliseconds, or as for `delay()`. */
  delay?: number | DelayMode
  /** Carries the type of the body; no value stands under it. */
  readonly '~body'?: Body
}

/** Whether a resolver's result is what `res()` makes, or a copy of it. */
export function isMockedResponse(value: unknown): value is MockedResponse {
  if (typeof value !== 'object' || value === null) return false
  const { status, headers, once } = value as Partial<MockedResponse>
  // Headers of another realm (jsdom brings its own) are as good.
  return typeof status === 'number' && typeof headers?.append === 'function' && typeof once === 'boolean'
}

/**
 * Makes the platform's response, after the delay.
 *
 * @throws for a body that no response can carry
 */
export async function toResponse(mocked: MockedResponse): Promise<Response> {
  if (mocked.passthrough) return passthrough()
  if (mocked.delay) await delay(mocked.delay)
  const { status, statusText, headers } = mocked
  // These statuses have no body on the wire either (https://fetch.spec.whatwg.org/#null-body-status).
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
