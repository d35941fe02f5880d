import { captureBody, stringifyBody } from './capture-body.ts'
import type { HeldPage } from './held-page.ts'
import { hasBypassMark } from './never-held.ts'
import { relayEvents, watchListeners } from './relay-events.ts'
import { warnOfSynchronousRequest } from './warn-of-synchronous-request.ts'

/** The methods that prepare and send a request. */
export type RequestMethod = 'abort' | 'open' | 'overrideMimeType' | 'send' | 'setRequestHeader'

type Body = Parameters<XMLHttpRequest['send']>[0]

const progressEvents = ['loadstart', 'progress', 'abort', 'error', 'load', 'timeout', 'loadend'] as const

/**
 * Converts the arguments of `open()` to text, once: `toString()` of an argument may count its calls.
 *
 * @see https://xhr.spec.whatwg.org/#dom-xmlhttprequest-open-method-url-async-username-password
 */
function convertOpen<Args extends readonly unknown[]>(args: Args): Args {
  if (args.length < 2) return args
  const isText = (index: number): boolean => index < 2 || (index > 2 && index < 5 && args[index] != null)
  return args.map((each, index) => (isText(index) ? `${each as string}` : each)) as unknown as Args
}

/**
 * Creates the recorder for one XMLHttpRequest of the app: it passes calls to the platform, but holds `send`, and
 * records all calls for a replacement.
 *
 * @param platform calls the platform's method on the app's object
 * @param carry makes an object of a replacement act for the app's object
 */
export function createUnsentRequest(
  page: HeldPage,
  xhr: XMLHttpRequest,
  platform: (method: RequestMethod, args: readonly unknown[]) => void,
  carry: (replacement: XMLHttpRequest) => void,
): Pick<XMLHttpRequest, RequestMethod> {
  const { scope } = page
  // A subclass may have a getter, and its constructor has not run yet.
  const upload = Reflect.get(scope.XMLHttpRequest.prototype, 'upload', xhr)
  const uploadListeners = new Set<string>()
  watchListeners(upload, (type) => uploadListeners.add(type))

  let method = ''
  /** Undefined if requests to this URL are never held. */
  let url: URL | undefined
  let isAsync = true
  let credentials: readonly (string | null | undefined)[] = []
  let headers = new Headers()
  let mimeType: string | undefined
  let body: Body
  /** The page's service worker when the request was opened. */
  let controller: ServiceWorker | null | undefined
  /** Defined while the request is held. */
  let withdraw: (() => void) | undefined

  function endHold(): boolean {
    const isHeld = withdraw !== undefined
    withdraw?.()
    withdraw = undefined
    return isHeld
  }

  /** Insecure origins have no service worker. */
  function readController(): ServiceWorker | null | undefined {
    return (scope.navigator as Partial<Navigator> | undefined)?.serviceWorker?.controller
  }

  function refuseOnceSent(): void {
    if (withdraw) {
      throw new scope.DOMException("The object's state must be OPENED.", 'InvalidStateError')
    }
  }

  function perform(): void {
    const { XMLHttpRequest } = page.replacements
    if (!XMLHttpRequest) {
      // In Firefox, the worker that the page had at the time of `open` sees the request. There may have been none.
      if (readController() !== controller) {
        platform('open', [method, url ?? '', true, ...credentials])
        headers.forEach((value, name) => {
          platform('setRequestHeader', [name, value])
        })
      }
      platform('send', [body])
      return
    }
    const replacement = new XMLHttpRequest()
    replacement.open(method, url ?? '', true, ...credentials)
    headers.forEach((value, name) => {
      replacement.setRequestHeader(name, value)
    })
    if (mimeType !== undefined) replacement.overrideMimeType(mimeType)
    replacement.responseType = xhr.responseType
    replacement.timeout = xhr.timeout
    replacement.withCredentials = xhr.withCredentials
    relayEvents(scope, replacement, xhr, ['readystatechange', ...progressEvents])
    // Add only the listeners that the app needs: any upload listener causes a preflight of a cross-origin request.
    const heard = progressEvents.filter((type) => uploadListeners.has(type) || upload[`on${type}`])
    relayEvents(scope, replacement.upload, upload, heard)
    carry(replacement)
    replacement.send(body)
  }

  /** Puts the platform's object into the state in which an abort ends a request, although no request leaves the page. */
  function sendNothing(): void {
    platform('open', [method, 'data:,'])
    platform('send', [])
    // The platform sends uploads only in HTTP requests.
    if (body && !/^(get|head)$/i.test(method)) {
      const tell = (type: string, init?: ProgressEventInit): unknown =>
        upload.dispatchEvent(new scope.ProgressEvent(type, init))
      const { size: total } = new Blob([body instanceof Blob ? body : `${body as string}`])
      tell('loadstart', { lengthComputable: true, total })
      // The upload ends between the state "done" and the event `abort` of the request.
      xhr.addEventListener('readystatechange', () => ['abort', 'loadend'].forEach((type) => tell(type)), { once: true })
    }
  }

  return {
    open(...given: [method: string, url: string | URL, async?: boolean, ...string[]]) {
      const args = convertOpen(given)
      platform('open', args)
      endHold()
      controller = readController()
      ;[method] = args
      url = page.resolve(args[1])
      // A missing argument means asynchronous, and `undefined` means synchronous.
      isAsync = args.length < 3 || Boolean(args[2])
      credentials = args.slice(3) as string[]
      headers = new Headers()
    },

    setRequestHeader(...given: [name: string, value: string]) {
      refuseOnceSent()
      const args = given.map((each) => `${each}`) as typeof given
      platform('setRequestHeader', args)
      headers.append(...args)
    },

    overrideMimeType(...args: [mime: string]) {
      platform('overrideMimeType', args)
      ;[mimeType] = args
    },

    send(given) {
      const sent = stringifyBody(given)
      refuseOnceSent()
      const isNative =
        (page.isOpen && !page.replacements.XMLHttpRequest) ||
        xhr.readyState !== xhr.OPENED ||
        !url ||
        hasBypassMark(headers.get('accept'))
      if (!isNative && isAsync) {
        body = captureBody(sent)
        withdraw = page.hold(() => {
          withdraw = undefined
          perform()
        }, url)
        return
      }
      if (!isNative) warnOfSynchronousRequest(method, url?.href)
      platform('send', [sent])
    },

    abort() {
      if (endHold()) sendNothing()
      platform('abort', [])
    },
  }
}
