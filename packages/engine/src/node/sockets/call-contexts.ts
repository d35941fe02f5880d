import { AsyncLocalStorage } from 'node:async_hooks'
import { channel } from 'node:diagnostics_channel'

/** Runs a function in the asynchronous context of a call that made a request. */
export type CallContext = <Result>(run: () => Result) => Result

/** The context of the call that is made now. */
export function captureContext(): CallContext {
  return AsyncLocalStorage.snapshot()
}

/** By request object: `ClientRequest` of Node, or undici's `Request`. */
const contexts = new WeakMap<object, CallContext>()

/** Returns the context of the call that made a request, if the client has reported it. */
export function contextOf(request: object): CallContext | undefined {
  return contexts.get(request)
}

let isSkipped = false

/**
 * Makes a request of undici whose context is not remembered, because no socket of it is watched. A snapshot costs about
 * a tenth of the request.
 */
export function withoutContext<Result>(request: () => Result): Result {
  isSkipped = true
  try {
    return request()
  } finally {
    isSkipped = false
  }
}

/**
 * Remembers for each request the context of its call. The context of the connection is that of the request that opened
 * it: others that use the connection later would be answered by the handlers of that one.
 *
 * @param onWrite called before undici writes a request to a socket
 * @returns a function that ends it
 */
export function recordContexts(onWrite: (request: object, socket: object) => void): () => void {
  const remember = (message: unknown): void => {
    const { request } = message as { request: object }
    contexts.set(request, captureContext())
  }
  const rememberWatched = (message: unknown): void => {
    if (!isSkipped) remember(message)
    // Another subscriber may make a request of its own.
    isSkipped = false
  }
  const write = (message: unknown): void => {
    const { request, socket } = message as { request: object; socket: object }
    onWrite(request, socket)
  }
  const subscriptions = [
    ['http.client.request.created', remember],
    ['undici:request:create', rememberWatched],
    ['undici:client:sendHeaders', write],
  ] as const
  for (const [name, listener] of subscriptions) channel(name).subscribe(listener)
  return () => {
    for (const [name, listener] of subscriptions) channel(name).unsubscribe(listener)
  }
}
