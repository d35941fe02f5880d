import { AsyncLocalStorage } from 'node:async_hooks'
import { channel } from 'node:diagnostics_channel'

import { startCall } from '../around-calls.ts'

/** Runs a function in the asynchronous context of a call that made a request. */
export type CallContext = <Result>(run: () => Result) => Result

/** Captures the context of the current call. */
export function captureContext(): CallContext {
  return startCall(() => AsyncLocalStorage.snapshot())
}

/** The contexts by request: Node's `ClientRequest`, or undici's `Request`. */
const contexts = new WeakMap<object, CallContext>()

/** Returns the context of the call that made a request, if the client has reported it. */
export function contextOf(request: object): CallContext | undefined {
  return contexts.get(request)
}

const creations = channel('undici:request:create')
/** Tells the listeners of all copies of this module from those of other tools. */
const ownListener = Symbol.for('understudy.recordContexts')

/**
 * Returns whether a tool reads the messages of undici about requests: OpenTelemetry, Sentry and others follow requests by
 * them, and add headers.
 */
export function isTraced(): boolean {
  // Node tells only whether there are listeners, and this module has one itself.
  const { _subscribers: listeners } = creations as { readonly _subscribers?: readonly object[] }
  return Array.isArray(listeners) && listeners.some((listener) => !(ownListener in listener))
}

let isSkipped = false

/**
 * Makes an undici request without storing its context, which is not needed if its socket is not intercepted. A snapshot
 * would cost about a tenth of the request.
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
 * Stores the context of the call for each request. A connection has the context of the request that opened it. Without
 * this, later requests on the connection would get the handlers of that context.
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
    // Another subscriber may make a request itself.
    isSkipped = false
  }
  Reflect.set(rememberWatched, ownListener, true)
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
