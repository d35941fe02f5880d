import { AsyncLocalStorage } from 'node:async_hooks'

const senders = new AsyncLocalStorage<XMLHttpRequest>()

/** The credentials mode of a request that a page's `XMLHttpRequest` makes now. */
export function pageCredentials(): RequestCredentials | undefined {
  const sender = senders.getStore()
  return sender && (sender.withCredentials ? 'include' : 'same-origin')
}

/**
 * Lets the requests of a page's `XMLHttpRequest` (jsdom, happy-dom) be known as such: what they send tells nothing of
 * their credentials mode.
 *
 * @returns a function that ends it
 */
export function watchPageRequests(): () => void {
  const native = Object.getOwnPropertyDescriptor(globalThis, 'XMLHttpRequest')
  if (!native?.configurable) return () => {}
  const Native = globalThis.XMLHttpRequest
  let isOn = true
  const value = new Proxy(Native, {
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
