import { unconnectedDispatcher } from '../sockets/global-dispatcher.ts'
import type { NodeFetch } from './node-fetch.ts'

const accepted = new Error('The platform accepts the request.')

/** Headers by which a client would take part in the framing of a request. undici refuses most of their values. */
const framing = /^(?:connection|content-length|expect|keep-alive|transfer-encoding|upgrade)$/
const isUsual = /^(?:connection: (?:close|keep-alive)|content-length: \d+)$/
/** The Fetch standard allows these in a value, and undici does not. */
// oxlint-disable-next-line no-control-regex -- control characters are what it looks for
const control = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/

/**
 * Whether Node's own `fetch` may refuse a request for headers that its `Request` accepts. What it refuses for the port is
 * mocked: tests choose ports that nothing listens on.
 */
export function mayBeRefused(headers: Headers): boolean {
  let isUnusual = false
  headers.forEach((value, name) => {
    isUnusual ||= (framing.test(name) && !isUsual.test(`${name}: ${value}`)) || control.test(value)
  })
  return isUnusual
}

/**
 * Has Node's own `fetch` check a request, without a connection and without its body.
 *
 * @throws what it throws
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

/** Methods whose Content-Length undici sends. */
const withLength = /^(?!GET$|HEAD$|OPTIONS$|TRACE$|CONNECT$)/

/** The error that undici gives for a body that is not as long as the request declares. */
export function lengthMismatch({ method, headers }: Request, length: number | undefined): Error | undefined {
  const declared = headers.get('content-length')
  // undici ignores what follows the digits.
  const isRight = declared === null || length === undefined || length === 0 || Number.parseInt(declared, 10) === length
  if (isRight || !withLength.test(method)) return undefined
  const error = new Error('Request body length does not match content-length header')
  return Object.assign(error, {
    name: 'RequestContentLengthMismatchError',
    code: 'UND_ERR_REQ_CONTENT_LENGTH_MISMATCH',
  })
}
