import type { Network } from '../../core/network/network.ts'
import type { Natives } from '../gate/gate.ts'
import { createFetch } from '../in-page/in-page-fetch.ts'
import { createXMLHttpRequest } from '../in-page/xml-http-request/create-xml-http-request.ts'
import { couldAnswerLeaving, isLeaving } from './leaving-page.ts'
import { patchMethod, type Method } from './patch-method.ts'

const preparing = ['open', 'setRequestHeader', 'overrideMimeType'] as const

/** A call of a method that prepares a request. */
type Call = readonly [name: (typeof preparing)[number], args: readonly unknown[]]

/**
 * Answers XMLHttpRequests in the page if they are sent while it unloads: Firefox sends these to the network without
 * asking the service worker.
 *
 * @returns a function that ends this
 */
export function answerLeavingXMLHttpRequests(network: Network, natives: Natives): () => void {
  let isOn = true
  const answersHere = (): boolean => isOn && isLeaving()
  let next: XMLHttpRequest | undefined
  /** A parent class that constructs no object: the class below adds its private fields to an object of the app. */
  function Existing(): XMLHttpRequest | undefined {
    return next
  }
  Existing.prototype = natives.XMLHttpRequest.prototype
  const fetch = createFetch(network, natives.fetch, answersHere)
  const InPage = createXMLHttpRequest(network, Existing as unknown as typeof XMLHttpRequest, fetch, answersHere)
  const { constructor: _, ...members } = Object.getOwnPropertyDescriptors(InPage.prototype)

  /** The calls of each object since its last `open()`. */
  const calls = new WeakMap<XMLHttpRequest, Call[]>()
  /**
   * Objects of the app that can answer in the page. For requests that go to the network, their `send()` calls the
   * patched method again.
   */
  const converted = new WeakSet<XMLHttpRequest>()
  const call = (xhr: XMLHttpRequest, name: 'send' | Call[0], args: readonly unknown[]): unknown =>
    Reflect.apply(Reflect.get(xhr, name) as Method, xhr, args)

  const ends = preparing.map((name) =>
    patchMethod(name, (native, xhr, args) => {
      const result = native()
      if (name === 'open') calls.set(xhr, [])
      calls.get(xhr)?.push([name, args])
      return result
    }),
  )
  ends.push(
    patchMethod('send', (native, xhr, args) => {
      const before = calls.get(xhr) ?? []
      const [method, url, ...others] = before[0]?.[1] ?? []
      // A missing argument means asynchronous, and `undefined` means synchronous.
      const isAsync = others.length === 0 || Boolean(others[0])
      const isPossible = xhr.readyState === xhr.OPENED && isAsync && !converted.has(xhr)
      if (!isPossible || !couldAnswerLeaving(network, String(method), String(url))) return native()
      converted.add(xhr)
      next = xhr
      void new InPage()
      Object.defineProperties(xhr, members)
      // The object is already open, so another `open()` fires no event.
      for (const each of before) call(xhr, ...each)
      return call(xhr, 'send', args)
    }),
  )
  return () => {
    isOn = false
    for (const end of ends) end()
  }
}
