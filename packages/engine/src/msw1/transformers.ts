import { stringifySetCookie } from 'cookie'

import { bypass } from '../core/responses/bypass.ts'
import type { DelayMode } from '../core/responses/delay.ts'
import { statusTextOf } from '../core/responses/status-text.ts'
import { MockedRequest } from './mocked-request.ts'
import type { ResponseTransformer } from './response-composition.ts'

/** Sets the status, with the usual status text. */
export function status(code: number, statusText: string = statusTextOf(code)): ResponseTransformer {
  return (res) => {
    res.status = code
    res.statusText = statusText
    return res
  }
}

/** Headers by name. */
export type HeadersRecord = Readonly<Record<string, string | readonly string[]>>

/**
 * Adds a header, or several. A header that is set twice has both values.
 *
 * @example
 * res(ctx.set('X-Total', '42'), ctx.set({ Vary: ['Accept', 'Origin'] }))
 */
export function set(name: string, value: string | readonly string[]): ResponseTransformer
export function set(headers: HeadersRecord): ResponseTransformer
export function set(nameOrHeaders: string | HeadersRecord, value?: string | readonly string[]): ResponseTransformer {
  const headers: HeadersRecord = typeof nameOrHeaders === 'string' ? { [nameOrHeaders]: value ?? '' } : nameOrHeaders
  return (res) => {
    for (const [name, given] of Object.entries(headers)) {
      for (const one of Array.isArray(given) ? (given as readonly string[]) : [given as string]) {
        res.headers.append(name, one)
      }
    }
    return res
  }
}

/** The attributes of a cookie, and how its value is encoded. The package `cookie` has types only for newer TypeScript. */
export interface CookieAttributes {
  readonly domain?: string
  readonly encode?: (value: string) => string
  readonly expires?: Date
  readonly httpOnly?: boolean
  /** In seconds. */
  readonly maxAge?: number
  readonly partitioned?: boolean
  readonly path?: string
  readonly priority?: 'low' | 'medium' | 'high'
  readonly sameSite?: boolean | 'lax' | 'strict' | 'none'
  readonly secure?: boolean
}

/**
 * Sets a cookie: the response carries `Set-Cookie`, and the jar keeps it.
 *
 * @param options `domain`, `expires`, `httpOnly`, `maxAge` (seconds), `path`, `sameSite`, `secure`, `encode`
 */
export function cookie(name: string, value: string, options: CookieAttributes = {}): ResponseTransformer {
  const { encode, ...attributes } = options
  return (res) => {
    res.headers.append('Set-Cookie', stringifySetCookie({ name, value, ...attributes }, encode ? { encode } : {}))
    return res
  }
}

/** Sets the body unchanged. The platform sets the content type: `text/plain` for a string. */
export function body<Body extends BodyInit | null>(value: Body): ResponseTransformer<Body> {
  return (res) => {
    res.body = value
    return res
  }
}

/** A JSON body, `application/json`. */
export function json<Body>(value: Body): ResponseTransformer<Body> {
  return ofType('application/json', () => JSON.stringify(value))
}

/** A text body, `text/plain`. */
export function text<Body extends string>(value: Body): ResponseTransformer<Body> {
  return ofType('text/plain', () => value)
}

/** An XML body, `text/xml`. */
export function xml<Body extends string>(value: Body): ResponseTransformer<Body> {
  return ofType('text/xml', () => value)
}

function ofType<Body>(type: string, createBody: () => unknown): ResponseTransformer<Body> {
  return (res) => {
    res.headers.set('Content-Type', type)
    res.body = createBody()
    return res
  }
}

/**
 * Delays the response.
 *
 * @param duration milliseconds, `'real'` or `'infinite'`, as for `delay()`. Default: `'real'`.
 */
export function delay(duration: number | DelayMode = 'real'): ResponseTransformer {
  return (res) => {
    res.delay = duration
    return res
  }
}

/**
 * Sends a request to the network without asking handlers: `ctx.fetch(req)` gets the real response.
 *
 * @param init as for `fetch()`; its values replace those of the request
 */
export function fetch(input: MockedRequest | Request | string | URL, init?: RequestInit): Promise<Response> {
  return globalThis.fetch(bypass(input instanceof MockedRequest ? input.toRequest() : input, init))
}
