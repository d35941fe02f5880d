import { AsyncLocalStorage } from 'node:async_hooks'

import { createXMLHttpRequest } from './page-xml-http-request.ts'

const senders = new AsyncLocalStorage<XMLHttpRequest>()

/** Returns the credentials mode of the request that a page's `XMLHttpRequest` is making now. */
export function pageCredentials(): RequestCredentials | undefined {
  const sender = senders.getStore()
  return sender && (sender.withCredentials ? 'include' : 'same-origin')
}

/**
 * Records the credentials mode of requests of a page's `XMLHttpRequest` (jsdom, happy-dom), because the sent bytes do
 * not show it. If the page has forms and files of Node, `XMLHttpRequest` sends them.
 *
 * @returns a function that ends this
 */
export function watchPageRequests(): () => void {
  const native = Object.getOwnPropertyDescriptor(globalThis, 'XMLHttpRequest')
  const Native: unknown = globalThis.XMLHttpRequest
  // Some environments define the global without a class, and tests disable it by a stub.
  if (!native?.configurable || typeof Native !== 'function') return () => {}
  let isOn = true
  const Sending = sendsNoForms(Native as typeof XMLHttpRequest) ? createXMLHttpRequest(globalThis) : Native
  const value = new Proxy(Sending as typeof XMLHttpRequest, {
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

/**
 * Returns whether the class is jsdom's, and the page has Node's `FormData`: in `jest-fixed-jsdom`, and with polyfills for `fetch`.
 * jsdom would send its text.
 */
function sendsNoForms({ prototype }: typeof XMLHttpRequest): boolean {
  // A subclass, such as that of our environment for Jest, sends forms itself. The class of happy-dom knows all of its forms.
  if (!Object.hasOwn(prototype, 'readyState') || 'happyDOM' in globalThis) return false
  // Only Node's class has this method. `Response` would not show the difference: that of Node 22 also accepts jsdom's forms.
  const forms = (globalThis as { FormData?: { prototype: object } }).FormData
  return forms !== undefined && Symbol.for('nodejs.util.inspect.custom') in forms.prototype
}
