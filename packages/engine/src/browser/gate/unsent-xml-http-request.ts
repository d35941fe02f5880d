import { captureBody } from './capture-body.ts'
import type { HeldPage } from './held-page.ts'
import { hasBypassMark } from './never-held.ts'
import { relayEvents, watchListeners } from './relay-events.ts'
import { warnOfSynchronousRequest } from './warn-of-synchronous-request.ts'

/** The methods by which a request is made. */
export type RequestMethod = 'abort' | 'open' | 'overrideMimeType' | 'send' | 'setRequestHeader'

type Body = Parameters<XMLHttpRequest['send']>[0]

const progressEvents = ['loadstart', 'progress', 'abort', 'error', 'load', 'timeout', 'loadend'] as const

/**
 * Makes what acts for one XMLHttpRequest of the app: it has the platform do what is asked, but holds what is
 * sent, and remembers it all for a carrier.
 *
 * @param platform calls the platform's method on the app's object
 * @param carry makes a carrier's object act for it from now on
 */
export function createUnsentRequest(
  page: HeldPage,
  xhr: XMLHttpRequest,
  platform: (method: RequestMethod, args: readonly unknown[]) => void,
  carry: (carrier: XMLHttpRequest) => void,
): Pick<XMLHttpRequest, RequestMethod> {
  const { scope } = page
  // A subclass may have a getter, and is still being constructed.
  const upload = Reflect.get(scope.XMLHttpRequest.prototype, 'upload', xhr)
  const uploadListeners = new Set<string>()
  watchListeners(upload, (type) => uploadListeners.add(type))

  let method = ''
  /** Undefined where requests to it are never held. */
  let url: URL | undefined
  let isAsync = true
  let credentials: readonly (string | null | undefined)[] = []
  let headers = new Headers()
  let mimeType: string | undefined
  let body: Body
  /** Of the page, when the request was opened. */
  let controller: ServiceWorker | null | undefined
  /** Defined while the request is held. */
  let withdraw: (() => void) | undefined

  function endHold(): boolean {
    const isHeld = withdraw !== undefined
    withdraw?.()
    withdraw = undefined
    return isHeld
  }

  /** An origin that is not secure has none. */
  function readController(): ServiceWorker | null | undefined {
    return (scope.navigator as Partial<Navigator> | undefined)?.serviceWorker?.controller
  }

  function refuseOnceSent(): void {
    if (withdraw) {
      throw new scope.DOMException("The object's state must be OPENED.", 'InvalidStateError')
    }
  }

  function perform(): void {
    const { XMLHttpRequest } = page.carriers
    if (!XMLHttpRequest) {
      // For Firefox, the worker that the page had at the time of `open` sees the request, and there may have been none.
      if (readController() !== controller) {
        platform('open', [method, url ?? '', true, ...credentials])
        headers.forEach((value, name) => {
          platform('setRequestHeader', [name, value])
        })
      }
      platform('send', [body])
      return
    }
    const carrier = new XMLHttpRequest()
    carrier.open(method, url ?? '', true, ...credentials)
    headers.forEach((value, name) => {
      carrier.setRequestHeader(name, value)
    })
    if (mimeType !== undefined) carrier.overrideMimeType(mimeType)
    carrier.responseType = xhr.responseType
    carrier.timeout = xhr.timeout
    carrier.withCredentials = xhr.withCredentials
    relayEvents(scope, carrier, xhr, ['readystatechange', ...progressEvents])
    // Only what the app listens to: for any listener, a cross-origin request is preflighted.
    const heard = progressEvents.filter((type) => uploadListeners.has(type) || upload[`on${type}`])
    relayEvents(scope, carrier.upload, upload, heard)
    carry(carrier)
    carrier.send(body)
  }

  /** Brings the platform's object to where an abort finds a request, though none leaves the page. */
  function sendNothing(): void {
    platform('open', [method, 'data:,'])
    platform('send', [])
    // The platform has uploads of HTTP requests only.
    if (body && !/^(get|head)$/i.test(method)) {
      for (const type of ['loadstart', 'abort', 'loadend']) upload.dispatchEvent(new scope.ProgressEvent(type))
    }
  }

  return {
    open(...args: [method: string, url: string | URL, async?: boolean, ...string[]]) {
      platform('open', args)
      endHold()
      controller = readController()
      ;[method] = args
      url = page.resolve(args[1])
      // Left out, it is asynchronous; undefined, it is not.
      isAsync = args.length < 3 || Boolean(args[2])
      credentials = args.slice(3) as string[]
      headers = new Headers()
    },

    setRequestHeader(name, value) {
      refuseOnceSent()
      platform('setRequestHeader', [name, value])
      headers.append(name, value)
    },

    overrideMimeType(mime) {
      platform('overrideMimeType', [mime])
      mimeType = mime
    },

    send(given) {
      refuseOnceSent()
      const isNative =
        (page.isOpen && !page.carriers.XMLHttpRequest) ||
        xhr.readyState !== xhr.OPENED ||
        !url ||
        hasBypassMark(headers.get('accept'))
      if (!isNative && isAsync) {
        body = captureBody(given)
        withdraw = page.hold(() => {
          withdraw = undefined
          perform()
        })
        return
      }
      if (!isNative) warnOfSynchronousRequest(method, url?.href)
      platform('send', [given])
    },

    abort() {
      if (endHold()) sendNothing()
      platform('abort', [])
    },
  }
}
