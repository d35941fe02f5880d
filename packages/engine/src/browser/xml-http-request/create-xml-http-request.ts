import { handleRequest } from '../../core/network/handle-request.ts'
import { isIgnorable } from '../../core/network/is-ignorable.ts'
import type { Network, UnderWay } from '../../core/network/network.ts'
import { isRedirect } from '../../core/network/redirect.ts'
import { isBypassed, removeBypassMark } from '../../core/responses/bypass.ts'
import { warnOfSynchronousRequest } from '../gate/warn-of-synchronous-request.ts'
import { followRedirect } from '../in-page-fetch.ts'
import { toFetchedResponse } from '../in-page-response.ts'
import { toHeardResponse } from './heard-response.ts'
import { parseMimeType, type MimeType } from './mime-type.ts'
import { MockedRequest } from './mocked-request.ts'
import { createOutgoing, readOpening, type Body, type Opening, type Outgoing } from './outgoing-request.ts'

type XHR = typeof globalThis.XMLHttpRequest

/**
 * Makes an `XMLHttpRequest` that handlers answer in the page itself.
 *
 * Its objects are the platform's own, and open requests, check what they are told and throw as these do. Where a
 * handler may answer, `send()` sends nothing and something acts for the object from then on; what no handler takes the
 * same object sends after all.
 *
 * @param Native performs what handlers do not answer
 * @param fetch goes where mocked redirects lead
 * @see https://xhr.spec.whatwg.org/
 */
export function createXMLHttpRequest(
  network: Network,
  Native: XHR,
  fetch: typeof globalThis.fetch,
  isOn: () => boolean,
): XHR {
  const couldAnswer = ({ method, url }: Opening): boolean =>
    network.layers.couldAnswer({ method: method.toUpperCase(), url, baseUrl: network.baseUrl })

  /** The platform tells a call with an argument that is undefined from one without. */
  const openNative = (xhr: XMLHttpRequest, args: readonly unknown[]): void =>
    Reflect.apply(Native.prototype['open'] as (...given: unknown[]) => void, xhr, args)

  class XMLHttpRequest extends Native {
    #opening: Opening | undefined
    #overriddenType: MimeType | undefined
    #isUploadWatched = false
    #mocked: MockedRequest | undefined
    /** Whether the app knows already what the platform is about to tell. */
    #isStartTold = false

    constructor() {
      super()
      // The first listener, because it keeps the others from hearing it twice.
      this.addEventListener('loadstart', (event) => {
        if (this.#isStartTold) event.stopImmediatePropagation()
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
      // To the platform it was open all the while.
      if (stateBefore !== this.OPENED) this.dispatchEvent(new Event('readystatechange'))
    }

    override setRequestHeader(name: string, value: string): void {
      if (this.#mocked) throw notOpened('setRequestHeader')
      super.setRequestHeader(name, value)
      this.#opening?.headers.append(name, value)
    }

    override overrideMimeType(mime: string): void {
      if (this.#mocked && this.readyState >= this.LOADING) {
        throw refusal(`Failed to execute 'overrideMimeType' on 'XMLHttpRequest': ${tooLateForType}`)
      }
      super.overrideMimeType(mime)
      this.#overriddenType = parseMimeType(mime) ?? parseMimeType('application/octet-stream')
    }

    override send(body?: Body): void {
      if (this.#mocked) throw notOpened('send')
      const opening = this.readyState === this.OPENED && isOn() ? this.#opening : undefined
      if (!opening || isIgnorable(network, opening.method.toUpperCase(), opening.url)) {
        this.#perform(body)
      } else if (!opening.isAsync) {
        if (couldAnswer(opening)) warnOfSynchronousRequest(opening.method, opening.url.href)
        this.#perform(body)
      } else if (!network.unhandled.decides && !couldAnswer(opening)) {
        const { request } = createOutgoing(opening, body, this.withCredentials, new AbortController().signal)
        void handleRequest(request, network).then((outcome) => {
          if ('tell' in outcome) this.#tellWhenLoaded(outcome.tell)
        })
        this.#perform(body)
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
      // The platform says in its own words that this is no text.
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
        throw refusal(`Failed to set the 'responseType' property on 'XMLHttpRequest': The response type ${tooLate}`)
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
        throw refusal(
          "Failed to set the 'withCredentials' property on 'XMLHttpRequest': " +
            "The value may only be set if the object's state is UNSENT or OPENED.",
        )
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
        given != null && !/^(?:get|head)$/i.test(opening.method),
      )
      const outgoing = createOutgoing(opening, given, this.withCredentials, mocked.signal)
      this.#mocked = mocked
      mocked.limit(this.timeout)
      mocked.start()
      // A listener may have ended it.
      if (!mocked.isOver) void this.#ask(mocked, outgoing)
    }

    async #ask(mocked: MockedRequest, { request, body }: Outgoing): Promise<void> {
      const underWay: UnderWay = { cameAt: performance.now(), giveUp: (reason) => mocked.giveUp(reason) }
      network.underWay.add(underWay)
      const outcome = await handleRequest(request.clone(), network)
      network.underWay.delete(underWay)
      if (mocked.isOver) return
      if (outcome.type === 'network-error') {
        mocked.fail()
      } else if (outcome.type === 'mocked') {
        try {
          const length = this.#isUploadWatched ? (await request.clone().blob()).size : 0
          await mocked.receive(await followed(outcome.response, request, fetch), length)
        } catch {
          mocked.fail()
        }
      } else {
        this.#mocked = undefined
        this.#tellWhenLoaded(outcome.tell)
        this.#isStartTold = true
        this.#perform(body)
        this.#isStartTold = false
      }
    }

    /** Sends by the platform what was opened there. */
    #perform(body: Body): void {
      const headers = this.#opening?.headers
      if (this.#opening && headers && isBypassed(headers)) {
        // What was set cannot be taken back, but it can be set anew.
        removeBypassMark(headers)
        openNative(this, this.#opening.args)
        for (const [name, value] of headers) super.setRequestHeader(name, value)
      }
      super.send(body)
    }

    #tellWhenLoaded(tell: ((response: Response) => void) | undefined): void {
      if (tell) this.addEventListener('load', () => tell(toHeardResponse(this)), { once: true })
    }
  }

  for (const [name, descriptor] of Object.entries(Object.getOwnPropertyDescriptors(XMLHttpRequest.prototype))) {
    // As the platform's members are: there are libraries that go through them.
    if (name !== 'constructor')
      Object.defineProperty(XMLHttpRequest.prototype, name, { ...descriptor, enumerable: true })
  }
  // What was made before is an instance too.
  Object.defineProperty(XMLHttpRequest, Symbol.hasInstance, {
    value(this: unknown, value: unknown): boolean {
      if (this === XMLHttpRequest) return value instanceof Native
      return Reflect.apply(Function.prototype[Symbol.hasInstance], this, [value])
    },
  })
  return XMLHttpRequest
}

/** The response at the end of mocked redirects. */
async function followed(mocked: Response, request: Request, fetch: typeof globalThis.fetch): Promise<Response> {
  if (isRedirect(mocked) && mocked.headers.has('location')) return fetch(await followRedirect(request, mocked))
  return toFetchedResponse(mocked, request, false)
}

function refusal(message: string): DOMException {
  return new DOMException(message, 'InvalidStateError')
}

function notOpened(method: string): DOMException {
  return refusal(`Failed to execute '${method}' on 'XMLHttpRequest': The object's state must be OPENED.`)
}

const tooLate = "cannot be set if the object's state is LOADING or DONE."
const tooLateForType = `MimeType ${tooLate}`
