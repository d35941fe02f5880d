import { unconnectedDispatcher } from '../sockets/global-dispatcher.ts'
import type { NodeFetch } from './node-fetch.ts'

const accepted = new Error('The platform accepts the request.')

/** Headers that affect the framing of a request. undici rejects most of their values. */
const framing = /^(?:connection|content-length|expect|keep-alive|transfer-encoding|upgrade)$/
const isUsual = /^(?:connection: (?:close|keep-alive)|content-length: \d+)$/
/** Characters that the Fetch standard allows in a value, but undici does not. */
// oxlint-disable-next-line no-control-regex -- control characters are what it looks for
const control = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/

/**
 * Returns whether Node's own `fetch` may reject a request because of headers that its `Request` accepts. Requests that
 * it rejects because of the port are mocked: tests use ports on which no server listens.
 */
export function mayBeRefused(headers: Headers): boolean {
  let isUnusual = false
  headers.forEach((value, name) => {
    isUnusual ||= (framing.test(name) && !isUsual.test(`${name}: ${value}`)) || control.test(value)
  })
  return isUnusual
}

/**
 * Lets Node's own `fetch` check a request, without a connection and without its body.
 *
 * @throws what `fetch` throws
 */
export async function checkByPlatform(fetch: NodeFetch, { url, method, headers }: Request): Promise<void> {
  const dispatcher = unconnectedDispatcher(accepted)
  if (!dispatcher) return
  try {
    await fetch(url, { method, headers, dispatcher })
  } catch (error) {
    if ((error as { cause?: unknown }).cause !== accepted) throw error
  }
}

/** The methods for which undici sends a Content-Length. */
const withLength = /^(?!GET$|HEAD$|OPTIONS$|TRACE$|CONNECT$)/

/** Returns undici's error if the length of a body differs from the request's Content-Length. */
export function lengthMismatch({ method, headers }: Request, length: number | undefined): Error | undefined {
  const declared = headers.get('content-length')
  // undici ignores the characters after the digits.
  const isRight = declared === null || length === undefined || length === 0 || Number.parseInt(declared, 10) === length
  if (isRight || !withLength.test(method)) return undefined
  const error = new Error('Request body length does not match content-length header')
  return Object.assign(error, {
    name: 'RequestContentLengthMismatchError',
    code: 'UND_ERR_REQ_CONTENT_LENGTH_MISMATCH',
  })
}
