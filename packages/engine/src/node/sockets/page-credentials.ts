import { AsyncLocalStorage } from 'node:async_hooks'

const senders = new AsyncLocalStorage<XMLHttpRequest>()

/** Returns the credentials mode of the request that a page's `XMLHttpRequest` is making now. */
export function pageCredentials(): RequestCredentials | undefined {
  const sender = senders.getStore()
  return sender && (sender.withCredentials ? 'include' : 'same-origin')
}

/**
 * Records the credentials mode of requests of a page's `XMLHttpRequest` (jsdom, happy-dom), because the sent bytes do
 * not show it.
 *
 * @returns a function that ends this
 */
export function watchPageRequests(): () => void {
  const native = Object.getOwnPropertyDescriptor(globalThis, 'XMLHttpRequest')
  const Native: unknown = globalThis.XMLHttpRequest
  // Some environments define the global without a class, and tests disable it by a stub.
  if (!native?.configurable || typeof Native !== 'function') return () => {}
  let isOn = true
  const value = new Proxy(Native as typeof XMLHttpRequest, {
    construct(target, args, newTarget) {
      const request = Reflect.construct(target, args, newTarget) as XMLHttpRequest
      if (isOn) {
        const send = request.send.bind(request)
        request.send = (...body) => senders.run(request, () => send(...body))
      }
      return request
    },
  })
  Object.defineProperty(globalThis, 'XMLHttpRequest', { value, configurable: true, writable: true, enumerable: false })
  return () => {
    isOn = false
    if (globalThis.XMLHttpRequest === value) Object.defineProperty(globalThis, 'XMLHttpRequest', native)
  }
}
