import { captureBody } from './capture-body.ts'
import type { HeldPage } from './held-page.ts'
import { redirectToStandIns, type StandIns } from './stand-ins.ts'
import { createUnsentRequest, type RequestMethod } from './unsent-xml-http-request.ts'
import type { Call } from './wrap-property.ts'

/**
 * Holds XMLHttpRequests: `send()` waits; the platform does everything else at the time of the call.
 *
 * The app's objects are instances of the platform's class. When a replacement answers, its object gets the
 * recorded calls of the app's object, and then acts for it.
 */
export function holdXMLHttpRequest(page: HeldPage): void {
  const { scope } = page
  if (!('XMLHttpRequest' in scope)) return
  const { prototype } = scope.XMLHttpRequest

  // The members of the prototype before they are wrapped.
  const platform = Object.getOwnPropertyDescriptors(prototype)
  // Objects of `natives.XMLHttpRequest` are not wrapped, so their requests are never held.
  const standIns: StandIns = new WeakMap()
  const isCarried = (): boolean => page.replacements.XMLHttpRequest !== undefined
  redirectToStandIns(page, prototype, standIns, ['upload'], isCarried, holdMadeEarlier(page, platform))

  page.wrapConstructor('XMLHttpRequest', (_args, create) => {
    const xhr = create() as XMLHttpRequest
    if (!isPlatformObject(xhr, platform)) return xhr
    const call = (method: RequestMethod, args: readonly unknown[]): void => {
      Reflect.apply(platform[method].value as () => void, xhr, args)
    }
    const carry = (replacement: XMLHttpRequest): void => {
      standIns.set(xhr, replacement)
    }
    standIns.set(xhr, createUnsentRequest(page, xhr, call, carry))
    return xhr
  })
}

type Platform = Record<RequestMethod | 'readyState', PropertyDescriptor>

/** Libraries replace the class with their own, which uses the platform's. The gate holds the requests of the latter. */
function isPlatformObject(xhr: XMLHttpRequest, platform: Platform): boolean {
  try {
    platform.readyState.get?.call(xhr)
    return true
  } catch {
    return false
  }
}

/** Wraps the methods that hold requests of XMLHttpRequest objects that were created while the gate was open. */
function holdMadeEarlier(page: HeldPage, platform: Platform): Record<'send' | 'abort' | 'open', Call> {
  const { scope } = page
  const withdrawals = new WeakMap<XMLHttpRequest, (() => void) | undefined>()
  const withdraw = (xhr: XMLHttpRequest): boolean => {
    withdrawals.get(xhr)?.()
    return withdrawals.delete(xhr)
  }
  return {
    send(xhr: XMLHttpRequest, [body]: Parameters<XMLHttpRequest['send']>, native) {
      // Requests of a replacement come here too. Before the gate opens, only requests made through the natives do.
      const isNative = !page.wasOpen || page.replacements.XMLHttpRequest !== undefined
      if (isNative || xhr.readyState !== xhr.OPENED || isSynchronous(xhr)) return native()
      if (withdrawals.has(xhr)) throw new scope.DOMException("The object's state must be OPENED.", 'InvalidStateError')
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
        // The platform fires events only for sent requests.
        Reflect.apply(platform.open.value as () => void, xhr, ['GET', 'data:,'])
        Reflect.apply(platform.send.value as () => void, xhr, [])
      }
      return native()
    },
  }
}

/** The platform does not allow a time-out for synchronous requests of a page. */
function isSynchronous(xhr: XMLHttpRequest): boolean {
  try {
    const { timeout } = xhr
    xhr.timeout = timeout
    return false
  } catch {
    return true
  }
}
