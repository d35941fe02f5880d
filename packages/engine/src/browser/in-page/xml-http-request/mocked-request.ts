import { createAbortController } from '../../../core/abort-controller.ts'
import type { ClientAbort } from '../../../core/network/client-abort.ts'
import { now } from '../../../core/real-time.ts'
import type { MimeType } from './mime-type.ts'
import { ReceivedResponse } from './received-response.ts'

/** The members of the app's object that a {@link MockedRequest} needs. */
export interface AppRequest {
  /** Events are dispatched on this object. */
  readonly target: EventTarget
  readonly upload: EventTarget
  /** The app's settings. They may change while the request is pending. */
  responseType(): XMLHttpRequestResponseType
  overriddenType(): MimeType | undefined
}

type Failure = 'error' | 'abort' | 'timeout'

const unsent = 0
const opened = 1
const headersReceived = 2
const loading = 3
const done = 4

/** The minimum time between two progress events, in milliseconds. */
const progressInterval = 50

/**
 * Acts for one XMLHttpRequest of the app from `send()` on, if a handler could match.
 *
 * @see https://xhr.spec.whatwg.org/#the-send()-method
 */
export class MockedRequest {
  readyState: number = opened
  readonly #app: AppRequest
  readonly #controller = createAbortController()
  readonly #sentAt = now()
  /** Whether there is an upload whose final events were not dispatched yet. */
  #isUploading: boolean
  #isOver = false
  #response: ReceivedResponse | undefined
  #timer: AbortSignal | undefined

  /** @param isUploading whether a body is sent */
  constructor(app: AppRequest, isUploading: boolean) {
    this.#app = app
    this.#isUploading = isUploading
  }

  /** Aborted when the app no longer waits for the response. */
  get signal(): AbortSignal {
    return this.#controller.signal
  }

  /** Whether the response is complete, or the app no longer waits for it. */
  get isOver(): boolean {
    return this.#isOver
  }

  get status(): number {
    return this.#response?.status ?? 0
  }

  get statusText(): string {
    return this.#response?.statusText ?? ''
  }

  get responseURL(): string {
    return this.#response?.url ?? ''
  }

  get response(): unknown {
    const type = this.#app.responseType()
    if (type === '' || type === 'text') return this.responseText
    return this.readyState === done && this.#response ? this.#response.make(type) : null
  }

  get responseText(): string {
    if (this.readyState < loading) return ''
    return this.#response?.text(this.#app.responseType(), this.readyState === done) ?? ''
  }

  get responseXML(): Document | null {
    if (this.readyState !== done || !this.#response) return null
    return this.#response.make(this.#app.responseType()) as Document | null
  }

  getResponseHeader(name: string): string | null {
    return this.#response?.header(name) ?? null
  }

  getAllResponseHeaders(): string {
    return this.#response?.allHeaders() ?? ''
  }

  /** Starts the request and dispatches the first events. */
  start(): void {
    this.#tell('loadstart', 0, 0)
  }

  /** Sets the time-out, in milliseconds from the start of the request; 0: no time-out. May be called again. */
  limit(milliseconds: number): void {
    const left = Math.max(0, this.#sentAt + milliseconds - now())
    const timer = milliseconds > 0 && !this.#isOver ? AbortSignal.timeout(Math.ceil(left)) : undefined
    this.#timer = timer
    timer?.addEventListener('abort', () => {
      if (this.#timer === timer) this.#fail('timeout')
    })
  }

  /** @param length the number of bytes of the uploaded body */
  async receive(response: Response, length: number): Promise<void> {
    this.#finishUpload(length)
    if (this.#isOver) return
    const received = new ReceivedResponse(response, () => this.#app.overriddenType())
    this.#response = received
    this.readyState = headersReceived
    this.#tellState()
    try {
      if (response.body) await this.#read(response.body, received)
    } catch {
      this.#fail('error')
    }
    if (!this.#isOver) this.#finish(received)
  }

  /** Fails the request with a network error. */
  fail(): void {
    this.#fail('error')
  }

  /** Aborts the decision about the request. Without a response, the request fails. */
  abortDecision(reason: ClientAbort): void {
    this.#controller.abort(reason)
  }

  /** @see https://xhr.spec.whatwg.org/#the-abort()-method */
  abort(): void {
    this.#fail('abort')
    if (this.readyState !== done) return
    this.readyState = unsent
    this.#response = undefined
  }

  /** Ends the request without events, because the app opened another one. */
  drop(): void {
    this.#isOver = true
    this.#timer = undefined
    this.#controller.abort()
  }

  async #read(body: ReadableStream<Uint8Array<ArrayBuffer>>, received: ReceivedResponse): Promise<void> {
    const reader = body.getReader()
    this.signal.addEventListener('abort', () => void reader.cancel(this.signal.reason).catch(() => {}))
    let toldAt = -progressInterval
    for (let piece = await reader.read(); !piece.done && !this.#isOver; piece = await reader.read()) {
      // As in the platform, chunks that are not bytes break the body. Another realm has its own class for bytes.
      if (piece.value[Symbol.toStringTag] !== 'Uint8Array') throw new TypeError('not bytes')
      received.body.push(piece.value)
      if (now() - toldAt < progressInterval) continue
      toldAt = now()
      this.readyState = loading
      this.#tellState()
      if (!this.#isOver) this.#tell('progress', received.body.length, received.expectedLength)
    }
  }

  /** @see https://xhr.spec.whatwg.org/#handle-response-end-of-body */
  #finish(received: ReceivedResponse): void {
    const { length } = received.body
    const total = received.expectedLength
    // Only Firefox dispatches a progress event for an empty body.
    if (length > 0 || 'mozInnerScreenX' in globalThis) this.#tell('progress', length, total)
    if (this.#isOver) return
    this.#isOver = true
    this.#timer = undefined
    this.readyState = done
    this.#tellState()
    // A listener may have aborted this request or opened another one, which dispatches its own events.
    if (this.readyState !== done || this.signal.aborted) return
    this.#tell('load', length, total)
    this.#tell('loadend', length, total)
  }

  /** @see https://xhr.spec.whatwg.org/#request-error-steps */
  #fail(type: Failure): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#timer = undefined
    this.#response = undefined
    this.readyState = done
    this.#controller.abort(
      new DOMException('The request was aborted.', type === 'timeout' ? 'TimeoutError' : 'AbortError'),
    )
    this.#tellState()
    if (this.#isUploading) {
      this.#isUploading = false
      for (const event of ['loadstart', type, 'loadend']) this.#tell(event, 0, 0, this.#app.upload)
    }
    this.#tell(type, 0, 0)
    this.#tell('loadend', 0, 0)
  }

  /** Dispatches the upload's events. Before, it was unknown whether the platform would send the request and dispatch them. */
  #finishUpload(length: number): void {
    if (!this.#isUploading) return
    this.#isUploading = false
    const { upload } = this.#app
    this.#tell('loadstart', 0, length, upload)
    for (const type of ['progress', 'load', 'loadend']) {
      if (!this.#isOver) this.#tell(type, length, length, upload)
    }
  }

  #tellState(): void {
    this.#app.target.dispatchEvent(new Event('readystatechange'))
  }

  #tell(type: string, loaded: number, total: number, target: EventTarget = this.#app.target): void {
    target.dispatchEvent(new ProgressEvent(type, { loaded, total, lengthComputable: total >= loaded && total > 0 }))
  }
}
