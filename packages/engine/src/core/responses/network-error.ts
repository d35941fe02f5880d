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
