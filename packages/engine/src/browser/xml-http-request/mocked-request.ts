import type { GivenUp } from '../../core/network/given-up.ts'
import type { MimeType } from './mime-type.ts'
import { ReceivedResponse } from './received-response.ts'

/** The app's object, as what acts for it needs it. */
export interface AppRequest {
  /** The events are dispatched there. */
  readonly target: EventTarget
  readonly upload: EventTarget
  /** As the app set them; they may change while the request is under way. */
  responseType(): XMLHttpRequestResponseType
  overriddenType(): MimeType | undefined
}

type Failure = 'error' | 'abort' | 'timeout'

const unsent = 0
const opened = 1
const headersReceived = 2
const loading = 3
const done = 4

/** How long a body goes on without telling how much of it has come, in milliseconds. */
const progressInterval = 50

/**
 * Acts for one XMLHttpRequest of the app from `send()` on, where a handler may answer.
 *
 * @see https://xhr.spec.whatwg.org/#the-send()-method
 */
export class MockedRequest {
  readyState: number = opened
  readonly #app: AppRequest
  readonly #controller = new AbortController()
  readonly #sentAt = performance.now()
  /** Whether there is an upload that was not told of. */
  #isUploading: boolean
  #isOver = false
  #response: ReceivedResponse | undefined
  #timer: AbortSignal | undefined

  /** @param isUploading whether a body is sent */
  constructor(app: AppRequest, isUploading: boolean) {
    this.#app = app
    this.#isUploading = isUploading
  }

  /** Aborted when nobody waits for the answer any more. */
  get signal(): AbortSignal {
    return this.#controller.signal
  }

  /** Whether it has its answer, or nobody waits for one any more. */
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

  /** Begins: the app is told. */
  start(): void {
    this.#tell('loadstart', 0, 0)
  }

  /** Ends it after so many milliseconds from its start; 0: never. May be called again. */
  limit(milliseconds: number): void {
    const left = Math.max(0, this.#sentAt + milliseconds - performance.now())
    const timer = milliseconds > 0 && !this.#isOver ? AbortSignal.timeout(Math.ceil(left)) : undefined
    this.#timer = timer
    timer?.addEventListener('abort', () => {
      if (this.#timer === timer) this.#fail('timeout')
    })
  }

  /** @param length how many bytes were sent */
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

  /** Ends it as a network that fails does. */
  fail(): void {
    this.#fail('error')
  }

  /** Has nobody decide about it any more: without an answer it fails. */
  giveUp(reason: GivenUp): void {
    this.#controller.abort(reason)
  }

  /** @see https://xhr.spec.whatwg.org/#the-abort()-method */
  abort(): void {
    this.#fail('abort')
    if (this.readyState !== done) return
    this.readyState = unsent
    this.#response = undefined
  }

  /** Ends it without a word: the app opened another request. */
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
      received.body.push(piece.value)
      if (performance.now() - toldAt < progressInterval) continue
      toldAt = performance.now()
      this.readyState = loading
      this.#tellState()
      if (!this.#isOver) this.#tell('progress', received.body.length, received.expectedLength)
    }
  }

  /** @see https://xhr.spec.whatwg.org/#handle-response-end-of-body */
  #finish(received: ReceivedResponse): void {
    const { length } = received.body
    const total = received.expectedLength
    // Of a body without bytes, only Firefox tells a progress.
    if (length > 0 || 'mozInnerScreenX' in globalThis) this.#tell('progress', length, total)
    if (this.#isOver) return
    this.#isOver = true
    this.#timer = undefined
    this.readyState = done
    this.#tellState()
    // The app may have aborted it, or opened another one: that is told of itself.
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
      new DOMException('The request was given up.', type === 'timeout' ? 'TimeoutError' : 'AbortError'),
    )
    this.#tellState()
    if (this.#isUploading) {
      this.#isUploading = false
      for (const event of ['loadstart', type, 'loadend']) this.#tell(event, 0, 0, this.#app.upload)
    }
    this.#tell(type, 0, 0)
    this.#tell('loadend', 0, 0)
  }

  /** Only now it is known that the platform does not tell of an upload too. */
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
