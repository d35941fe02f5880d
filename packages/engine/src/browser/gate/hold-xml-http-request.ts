import { captureBody } from './capture-body.ts'
import type { HeldPage } from './held-page.ts'
import { redirectToStandIns, type StandIns } from './stand-ins.ts'
import { createUnsentRequest, type RequestMethod } from './unsent-xml-http-request.ts'
import type { Call } from './wrap-property.ts'

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
  redirectToStandIns(page, prototype, standIns, ['upload'], isCarried, holdMadeEarlier(page, platform))

  page.wrapConstructor('XMLHttpRequest', (_args, create) => {
    const xhr = create() as XMLHttpRequest
    if (!isPlatformObject(xhr, platform)) return xhr
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

type Platform = Record<RequestMethod | 'readyState', PropertyDescriptor>

/** Libraries put classes of their own in the place of the platform's. What these request by it is held. */
function isPlatformObject(xhr: XMLHttpRequest, platform: Platform): boolean {
  try {
    platform.readyState.get?.call(xhr)
    return true
  } catch {
    return false
  }
}

/** Holds what is sent by XMLHttpRequests that were made while the gate was open. */
function holdMadeEarlier(page: HeldPage, platform: Platform): Record<'send' | 'abort' | 'open', Call> {
  const { scope } = page
  const withdrawals = new WeakMap<XMLHttpRequest, (() => void) | undefined>()
  const withdraw = (xhr: XMLHttpRequest): boolean => {
    withdrawals.get(xhr)?.()
    return withdrawals.delete(xhr)
  }
  return {
    send(xhr: XMLHttpRequest, [body]: Parameters<XMLHttpRequest['send']>, native) {
      // What a carrier performs comes here, too, and before the gate was open, only what was made by the natives.
      const isNative = !page.wasOpen || page.carriers.XMLHttpRequest !== undefined
      if (isNative || xhr.readyState !== xhr.OPENED || isSynchronous(xhr)) return native()
      if (withdrawals.has(xhr)) throw new scope.DOMException('It is sent already.', 'InvalidStateError')
      const captured = captureBody(body)
      const end = page.hold(() => {
        withdrawals.delete(xhr)
        native([captured])
      })
      withdrawals.set(xhr, end)
      return undefined
    },
    open(xhr: XMLHttpRequest, _args, native) {
      withdraw(xhr)
      return native()
    },
    abort(xhr: XMLHttpRequest, _args, native) {
      if (withdraw(xhr)) {
        // The platform fires events only for what was sent.
        Reflect.apply(platform.open.value as () => void, xhr, ['GET', 'data:,'])
        Reflect.apply(platform.send.value as () => void, xhr, [])
      }
      return native()
    },
  }
}

/** The platform refuses a time-out for those in a page. */
function isSynchronous(xhr: XMLHttpRequest): boolean {
  try {
    const { timeout } = xhr
    xhr.timeout = timeout
    return false
  } catch {
    return true
  }
}
