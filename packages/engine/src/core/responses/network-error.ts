import { Response } from '../platform.ts'

const reasonKey: unique symbol = Symbol.for('understudy.networkError') as never

/** A network error with a reason for people: it stands in the error that the request fails with in Node. */
export function createNetworkError(reason: string): Response {
  const response = Response.error()
  Object.defineProperty(response, reasonKey, { value: reason })
  return response
}

/** The reason that {@link createNetworkError} was given. */
export function networkErrorReason(response: Response): string | undefined {
  return (response as { [reasonKey]?: string })[reasonKey]
}

/**
 * The codes by which Node's clients tell why a request failed, as libraries that retry look at them. Others are allowed.
 *
 * @see https://nodejs.org/api/errors.html#common-system-errors
 */
export type NetworkErrorCode =
  | 'ECONNABORTED'
  | 'ECONNREFUSED'
  | 'ECONNRESET'
  | 'EAI_AGAIN'
  | 'EHOSTUNREACH'
  | 'ENETUNREACH'
  | 'ENOTFOUND'
  | 'EPIPE'
  | 'ETIMEDOUT'
  | 'UND_ERR_CONNECT_TIMEOUT'
  | 'UND_ERR_SOCKET'
  | (string & {})

/** Options of `HttpResponse.error()`. */
export interface NetworkErrorInit {
  /** What the error's `code` is in Node; browsers do not tell why a request failed. Default: `'ECONNRESET'`. */
  code?: NetworkErrorCode
}

const codeKey: unique symbol = Symbol.for('understudy.networkErrorCode') as never

/** Has a network error carry a code. */
export function setNetworkErrorCode(response: Response, code: NetworkErrorCode): void {
  Object.defineProperty(response, codeKey, { value: code })
}

/** The code of a network error: that of a connection that was reset, where none was chosen. */
export function networkErrorCode(response: Response | undefined): NetworkErrorCode {
  return (response as { [codeKey]?: NetworkErrorCode } | undefined)?.[codeKey] ?? 'ECONNRESET'
}
