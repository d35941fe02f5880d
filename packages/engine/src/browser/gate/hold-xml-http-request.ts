import type { HeldPage } from './held-page.ts'
import { redirectToStandIns, type StandIns } from './stand-ins.ts'
import { createUnsentRequest, type RequestMethod } from './unsent-xml-http-request.ts'

/**
 * Holds XMLHttpRequests: `send()` waits; all else the platform does at the time of the call.
 *
 * The app's objects are the platform's own, so nothing about them needs imitation. Where a carrier answers,
 * the carrier's object is told what was asked of the app's, and stands in for it from then on.
 */
export function holdXMLHttpRequest(page: HeldPage): void {
  const { scope } = page
  if (!('XMLHttpRequest' in scope)) return
  const { prototype } = scope.XMLHttpRequest

  // As the prototype has them now, before the wrappers come on top.
  const platform = Object.getOwnPropertyDescriptors(prototype)
  // What `natives.XMLHttpRequest` makes has no stand-in, and is never held.
  const standIns: StandIns = new WeakMap()
  const isCarried = (): boolean => page.carriers.XMLHttpRequest !== undefined
  redirectToStandIns(page, prototype, standIns, ['upload'], isCarried)

  page.wrapConstructor('XMLHttpRequest', (_args, create) => {
    const xhr = create() as XMLHttpRequest
    const call = (method: RequestMethod, args: readonly unknown[]): void => {
      Reflect.apply(platform[method].value as () => void, xhr, args)
    }
    const carry = (carrier: XMLHttpRequest): void => {
      standIns.set(xhr, carrier)
    }
    standIns.set(xhr, createUnsentRequest(page, xhr, call, carry))
    return xhr
  })
}
