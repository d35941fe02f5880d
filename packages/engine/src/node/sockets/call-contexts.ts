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

/** The context of the call that made a request of a client, where the client told of it. */
export function contextOf(request: object): CallContext | undefined {
  return contexts.get(request)
}

/**
 * Remembers for each request the context of its call. The context of the connection is that of the request that opened
 * it: others that use the connection later would be answered by the handlers of that one.
 *
 * @param onWrite told when undici is about to write a request to a socket
 * @returns what ends it
 */
export function recordContexts(onWrite: (request: object, socket: object) => void): () => void {
  const remember = (message: unknown): void => {
    const { request } = message as { request: object }
    contexts.set(request, captureContext())
  }
  const write = (message: unknown): void => {
    const { request, socket } = message as { request: object; socket: object }
    onWrite(request, socket)
  }
  const subscriptions = [
    ['http.client.request.created', remember],
    ['undici:request:create', remember],
    ['undici:client:sendHeaders', write],
  ] as const
  for (const [name, listener] of subscriptions) channel(name).subscribe(listener)
  return () => {
    for (const [name, listener] of subscriptions) channel(name).unsubscribe(listener)
  }
}
