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
  /** What the connection does instead of an answer; without a code. Default: `'connection-reset'`. */
  fault?: NetworkFault
}

/**
 * `'connection-reset'`: the server resets the connection. `'empty-response'`: it closes the connection without an answer, and
 * the clients of Node report that each in its own words.
 */
export type NetworkFault = 'connection-reset' | 'empty-response'

const initKey: unique symbol = Symbol.for('understudy.networkErrorInit') as never

/** Has a network error carry its code or its fault. */
export function setNetworkErrorInit(response: Response, init: NetworkErrorInit): void {
  Object.defineProperty(response, initKey, { value: init })
}

/** The code and the fault that {@link setNetworkErrorInit} was given. */
export function networkErrorInit(response: Response | undefined): NetworkErrorInit | undefined {
  return (response as { [initKey]?: NetworkErrorInit } | undefined)?.[initKey]
}
