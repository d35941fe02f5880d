import { Response } from '../platform.ts'

const reasonKey: unique symbol = Symbol.for('understudy.networkError') as never

/** Creates a network error with a reason. In Node, the error of the request contains the reason. */
export function createNetworkError(reason: string): Response {
  const response = Response.error()
  Object.defineProperty(response, reasonKey, { value: reason })
  return response
}

/** Returns the reason that was passed to {@link createNetworkError}. */
export function networkErrorReason(response: Response): string | undefined {
  return (response as { [reasonKey]?: string })[reasonKey]
}

/**
 * The codes of errors of Node's clients. Libraries that retry requests read them. Other codes are allowed.
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
  /** The error's `code` in Node. Browsers do not show why a request failed. Default: `'ECONNRESET'`. */
  code?: NetworkErrorCode
  /** How the connection ends. Cannot be combined with `code`. Default: `'connection-reset'`. */
  fault?: NetworkFault
}

/**
 * `'connection-reset'`: the server resets the connection. `'empty-response'`: the server closes the connection without
 * a response, and each client of Node has its own error for this.
 */
export type NetworkFault = 'connection-reset' | 'empty-response'

const initKey: unique symbol = Symbol.for('understudy.networkErrorInit') as never

/** Stores the code or the fault of a network error. */
export function setNetworkErrorInit(response: Response, init: NetworkErrorInit): void {
  Object.defineProperty(response, initKey, { value: init })
}

/** Returns the code and the fault that {@link setNetworkErrorInit} stored. */
export function networkErrorInit(response: Response | undefined): NetworkErrorInit | undefined {
  return (response as { [initKey]?: NetworkErrorInit } | undefined)?.[initKey]
}
