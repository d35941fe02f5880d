import { createAbortController } from '../../../core/abort-controller.ts'
import { isRedirect } from '../../../core/fetch/redirect.ts'
import { couldAnswer } from '../../../core/handlers/candidates.ts'
import { handleRequest, isIgnorable } from '../../../core/network/handle-request.ts'
import type { Network } from '../../../core/network/network.ts'
import { isBypassed, removeBypassMark } from '../../../core/responses/bypass-marks.ts'
import { decidedMark } from '../../../core/responses/bypass.ts'
import { carryOut } from '../../../core/source.ts'
import { warnOfSynchronousRequest } from '../../gate/warn-of-synchronous-request.ts'
import { followRedirect } from '../in-page-fetch.ts'
import { toFetchedResponse } from '../in-page-response.ts'
import { toHeardResponse } from './heard-response.ts'
import { parseMimeType, type MimeType } from './mime-type.ts'
import { MockedRequest } from './mocked-request.ts'
import { createOutgoing, readOpening, type Body, type Opening, type Outgoing } from './outgoing-request.ts'

type XHR = typeof globalThis.XMLHttpRequest

/**
 * Creates an `XMLHttpRequest` that handlers answer in the page.
 *
 * Its objects are the platform's own: they open requests, check arguments and throw as the platform does. If a handler
 * could match, `send()` sends nothing, and a mocked request acts for the object from then on. If no handler answers, the
 * same object sends the request.
 *
 * @param Native sends what handlers do not answer
 * @param fetch follows mocked redirects
 * @param hasWorker whether a service worker sees the requests that are not answered in the page: synchronous requests,
 * and those that no handler could match
 * @see https://xhr.spec.whatwg.org/
 */
export function createXMLHttpRequest(
  network: Network,
  Native: XHR,
  fetch: typeof globalThis.fetch,
  isOn: () => boolean,
  hasWorker = false,
): XHR {
  const isMockable = ({ method, url }: Opening): boolean => couldAnswer(network, method.toUpperCase(), url)

  /** The platform distinguishes an argument that is `undefined` from a missing argument. */
  const openNative = (xhr: XMLHttpRequest, args: readonly unknown[]): void =>
    Reflect.apply(Native.prototype['open'] as (...given: unknown[]) => void, xhr, args)

  class XMLHttpRequest extends Native {
    #opening: Opening | undefined
    #overriddenType: MimeType | undefined
    #isUploadWatched = false
    #mocked: MockedRequest | undefined
    /** Whether the app has already received the events that the platform is about to dispatch. */
    #isStartDispatched = false

    constructor() {
      super()
      // Add this listener first, so that it can stop events that the other listeners have already received.
      this.addEventListener('loadstart', (event) => {
        if (this.#isStartDispatched) event.stopImmediatePropagation()
      })
    }

    override open(...args: unknown[]): void {
      const stateBefore = this.readyState
      const mocked = this.#mocked
      openNative(this, args)
      this.#opening = readOpening(args)
      if (!mocked || this.#mocked !== mocked) return
      mocked.drop()
      this.#mocked = undefined
      // In the platform's object, the request was open the whole time.
      if (stateBefore !== this.OPENED) this.dispatchEvent(new Event('readystatechange'))
    }

    override setRequestHeader(name: string, value: string): void {
      if (this.#mocked) throw notOpened('setRequestHeader')
      super.setRequestHeader(name, value)
      this.#opening?.headers.append(name, value)
    }

    override overrideMimeType(mime: string): void {
      if (this.#mocked && this.readyState >= this.LOADING) {
        throw refusal("execute 'overrideMimeType'", `MimeType ${tooLate}`)
      }
      super.overrideMimeType(mime)
      this.#overriddenType = parseMimeType(mime) ?? parseMimeType('application/octet-stream')
    }

    override send(body?: Body): void {
      if (this.#mocked) throw notOpened('send')
      const opening = this.readyState === this.OPENED && isOn() ? this.#opening : undefined
      const isLeft = hasWorker && opening && !(opening.isAsync && isMockable(opening))
      if (!opening || isLeft || isIgnorable(network, opening.method.toUpperCase(), opening.url)) {
        this.#sendNative(body)
      } else if (!opening.isAsync) {
        if (isMockable(opening)) warnOfSynchronousRequest(opening.method, opening.url.href)
        this.#sendNative(body)
      } else if (!network.unhandled.decides && !isMockable(opening)) {
        const { request } = createOutgoing(opening, body, this.withCredentials, createAbortController().signal)
        void handleRequest(request, network).then((outcome) => {
          if ('onResponse' in outcome) this.#passResponseWhenLoaded(outcome.onResponse)
        })
        this.#sendNative(body)
      } else {
        this.#sendToHandlers(opening, body)
      }
    }

    override abort(): void {
      if (this.#mocked) this.#mocked.abort()
      else super.abort()
    }

    override getResponseHeader(name: string): string | null {
      return this.#mocked ? this.#mocked.getResponseHeader(name) : super.getResponseHeader(name)
    }

    override getAllResponseHeaders(): string {
      return this.#mocked ? this.#mocked.getAllResponseHeaders() : super.getAllResponseHeaders()
    }

    override get readyState(): number {
      return this.#mocked ? this.#mocked.readyState : super.readyState
    }

    override get status(): number {
      return this.#mocked ? this.#mocked.status : super.status
    }

    override get statusText(): string {
      return this.#mocked ? this.#mocked.statusText : super.statusText
    }

    override get responseURL(): string {
      return this.#mocked ? this.#mocked.responseURL : super.responseURL
    }

    override get response(): unknown {
      return this.#mocked ? this.#mocked.response : (super.response as unknown)
    }

    override get responseText(): string {
      // The platform throws its own error for a value that is not text.
      return this.#mocked && /^(?:text)?$/.test(this.responseType) ? this.#mocked.responseText : super.responseText
    }

    override get responseXML(): Document | null {
      return this.#mocked && /^(?:document)?$/.test(this.responseType) ? this.#mocked.responseXML : super.responseXML
    }

    override get responseType(): XMLHttpRequestResponseType {
      return super.responseType
    }

    override set responseType(type: XMLHttpRequestResponseType) {
      if (this.#mocked && this.readyState >= this.LOADING) {
        throw refusal("set the 'responseType' property", `The response type ${tooLate}`)
      }
      super.responseType = type
    }

    override get timeout(): number {
      return super.timeout
    }

    override set timeout(milliseconds: number) {
      super.timeout = milliseconds
      this.#mocked?.limit(super.timeout)
    }

    override get withCredentials(): boolean {
      return super.withCredentials
    }

    override set withCredentials(value: boolean) {
      if (this.#mocked && this.readyState !== this.UNSENT) {
        const reason = "The value may only be set if the object's state is UNSENT or OPENED."
        throw refusal("set the 'withCredentials' property", reason)
      }
      super.withCredentials = value
    }

    override get upload(): XMLHttpRequestUpload {
      this.#isUploadWatched = true
      return super.upload
    }

    #sendToHandlers(opening: Opening, given: Body): void {
      const mocked = new MockedRequest(
        {
          target: this,
          upload: super.upload,
          responseType: () => super.responseType,
          overriddenType: () => this.#overriddenType,
        },
        given != null && !opening.isBodiless,
      )
      const outgoing = createOutgoing(opening, given, this.withCredentials, mocked.signal)
      this.#mocked = mocked
      mocked.limit(this.timeout)
      mocked.start()
      // A listener may have ended the request.
      if (!mocked.isOver) void this.#ask(mocked, outgoing)
    }

    async #ask(mocked: MockedRequest, { request, body }: Outgoing): Promise<void> {
      const untrack = network.track((reason) => mocked.abortDecision(reason))
      const outcome = await handleRequest(request.clone(), network)
      untrack()
      if (mocked.isOver) return
      await carryOut<void | Promise<void>>(outcome, {
        respond: async (response) => {
          try {
            const length = this.#isUploadWatched ? (await request.clone().blob()).size : 0
            await mocked.receive(await followed(response, request, fetch), length)
          } catch {
            mocked.fail()
          }
        },
        fail: () => mocked.fail(),
        passthrough: ({ onResponse }) => {
          this.#mocked = undefined
          this.#passResponseWhenLoaded(onResponse)
          this.#isStartDispatched = true
          this.#sendNative(body, hasWorker)
          this.#isStartDispatched = false
        },
      })
    }

    /**
     * Sends the request that the platform's object opened.
     *
     * @param isMarked tells the worker that the handlers have been asked
     */
    #sendNative(body: Body, isMarked = false): void {
      const headers = this.#opening?.headers
      if (this.#opening && headers && isBypassed(headers)) {
        // A header that was set cannot be removed. Open the request again, and set the remaining headers.
        removeBypassMark(headers)
        openNative(this, this.#opening.args)
        for (const [name, value] of headers) super.setRequestHeader(name, value)
      }
      if (isMarked) super.setRequestHeader('accept', decidedMark)
      super.send(body)
    }

    #passResponseWhenLoaded(onResponse: ((response: Response) => void) | undefined): void {
      if (onResponse) this.addEventListener('load', () => onResponse(toHeardResponse(this)), { once: true })
    }
  }

  for (const [name, descriptor] of Object.entries(Object.getOwnPropertyDescriptors(XMLHttpRequest.prototype))) {
    // Enumerable, as in the platform: some libraries iterate over the members.
    if (name !== 'constructor')
      Object.defineProperty(XMLHttpRequest.prototype, name, { ...descriptor, enumerable: true })
  }
  // Objects that the native class created are instances, too.
  Object.defineProperty(XMLHttpRequest, Symbol.hasInstance, {
    value(this: unknown, value: unknown): boolean {
      if (this === XMLHttpRequest) return value instanceof Native
      return Reflect.apply(Function.prototype[Symbol.hasInstance], this, [value])
    },
  })
  return XMLHttpRequest
}

/** Returns the response at the end of mocked redirects. */
async function followed(mocked: Response, request: Request, fetch: typeof globalThis.fetch): Promise<Response> {
  if (isRedirect(mocked) && mocked.headers.has('location')) return fetch(await followRedirect(request, mocked))
  return toFetchedResponse(mocked, request, false)
}

/** The error of the platform, with its message in Chromium. */
function refusal(operation: string, reason: string): DOMException {
  return new DOMException(`Failed to ${operation} on 'XMLHttpRequest': ${reason}`, 'InvalidStateError')
}

function notOpened(method: string): DOMException {
  return refusal(`execute '${method}'`, "The object's state must be OPENED.")
}

const tooLate = "cannot be set if the object's state is LOADING or DONE."
