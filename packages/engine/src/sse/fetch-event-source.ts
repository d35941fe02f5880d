import { createAbortController } from '../core/abort-controller.ts'
import { EventHandlers } from '../core/event-handlers.ts'
import { discardBody } from '../core/handlers/finalizers.ts'
import { EventStreamParser, type StreamedEvent } from './event-stream-parser.ts'

const connecting = 0
const open = 1
const closed = 2

/** A timer with a longer time runs at once: the time is a signed 32-bit integer. */
const longestTimer = 2_147_483_647

/** The origin of an event source's stream. */
export interface EventSourceOrigin {
  /** Absolute. */
  url: string
  withCredentials: boolean
  /** Whether listeners can call `preventDefault()` on events. Default: `false`, as on the platform. */
  isCancelable?: boolean
  /** Counts the streams of this URL that handlers broke. Such a stream is not requested again. */
  countBroken?(): number | undefined
  /** Requests the stream. After a reconnection, requests it from the last id on. */
  request(lastEventId: string, signal: AbortSignal): Promise<Response>
}

type Handler<Name extends 'onopen' | 'onmessage' | 'onerror'> = EventSource[Name]

/** An event target with the types of an `EventSource`'s listeners. */
const Target: new () => Pick<EventSource, keyof EventTarget> = EventTarget as never

/**
 * The platform's `EventSource`, over `fetch`.
 *
 * @see https://html.spec.whatwg.org/multipage/server-sent-events.html#the-eventsource-interface
 */
export class FetchEventSource extends Target implements EventSource {
  static readonly CONNECTING: 0 = connecting
  static readonly OPEN: 1 = open
  static readonly CLOSED: 2 = closed
  readonly CONNECTING: 0 = connecting
  readonly OPEN: 1 = open
  readonly CLOSED: 2 = closed

  readonly #origin: EventSourceOrigin
  readonly #controller = createAbortController()
  readonly #handlers = new EventHandlers(this)
  #readyState: number = connecting
  #reconnectionTime = 3000
  #lastEventId = ''

  constructor(origin: EventSourceOrigin) {
    super()
    this.#origin = origin
    void this.#connect()
  }

  get url(): string {
    return this.#origin.url
  }

  get withCredentials(): boolean {
    return this.#origin.withCredentials
  }

  get readyState(): number {
    return this.#readyState
  }

  get onopen(): Handler<'onopen'> {
    return this.#handlers.get('open') as Handler<'onopen'>
  }

  set onopen(handler: Handler<'onopen'>) {
    this.#handlers.set('open', handler)
  }

  get onmessage(): Handler<'onmessage'> {
    return this.#handlers.get('message') as Handler<'onmessage'>
  }

  set onmessage(handler: Handler<'onmessage'>) {
    this.#handlers.set('message', handler)
  }

  get onerror(): Handler<'onerror'> {
    return this.#handlers.get('error') as Handler<'onerror'>
  }

  set onerror(handler: Handler<'onerror'>) {
    this.#handlers.set('error', handler)
  }

  close(): void {
    this.#readyState = closed
    this.#controller.abort()
  }

  /** Called with every message after its listeners. `isPrevented`: a listener called `preventDefault()`. */
  protected '~onMessage'(_message: StreamedEvent, _isPrevented: boolean): void {}

  /**
   * Called after the listeners of `error`. `'ended'`: the stream has ended. `'failed'`: it failed to open, or broke.
   */
  protected '~onError'(_reason: 'ended' | 'failed', _isPrevented: boolean): void {}

  protected '~onOpen'(): void {}

  protected '~onRetry'(_time: number): void {}

  async #connect(): Promise<void> {
    const before = this.#origin.countBroken?.()
    const end = await this.#stream()
    if (this.#isClosed()) return
    if (end === 'ended' || (end === 'failed' && this.#origin.countBroken?.() === before)) {
      this.#reconnect(end)
    } else {
      this.#readyState = closed
      this.#dispatchError('failed')
    }
  }

  /** Requests the stream, and reads it to its end. `'refused'`: the response is not an event stream. */
  async #stream(): Promise<'ended' | 'failed' | 'refused'> {
    let response: Response
    try {
      response = await this.#origin.request(this.#lastEventId, this.#controller.signal)
    } catch {
      return 'failed'
    }
    if (response.type === 'error' || this.#isClosed()) return 'failed'
    if (response.status !== 200 || !isEventStream(response) || !response.body) {
      discardBody(response.body)
      return 'refused'
    }
    this.#open()
    return this.#read(response, response.body)
  }

  #open(): void {
    this.#readyState = open
    this.dispatchEvent(new Event('open'))
    this['~onOpen']()
  }

  async #read(response: Response, body: ReadableStream<Uint8Array>): Promise<'ended' | 'failed'> {
    const { origin } = new URL(response.url || this.url)
    const parser = new EventStreamParser(
      {
        onEvent: (event) => this.#dispatchMessage(event, origin),
        onLastEventId: (id) => {
          this.#lastEventId = id
        },
        onRetry: (time) => {
          this.#reconnectionTime = Math.min(time, longestTimer)
          this['~onRetry'](time)
        },
      },
      this.#lastEventId,
    )
    const reader = body.getReader()
    try {
      for (let piece = await reader.read(); !piece.done; piece = await reader.read()) parser.push(piece.value)
      return 'ended'
    } catch {
      return 'failed'
    }
  }

  #reconnect(reason: 'ended' | 'failed'): void {
    if (this.#isClosed()) return
    this.#readyState = connecting
    this.#dispatchError(reason)
    if (this.#isClosed()) return
    const timer = setTimeout(() => void this.#connect(), this.#reconnectionTime)
    this.#controller.signal.addEventListener('abort', () => clearTimeout(timer), { once: true })
  }

  #dispatchMessage(message: StreamedEvent, origin: string): void {
    if (this.#isClosed()) return
    const { type, data, lastEventId } = message
    const cancelable = this.#origin.isCancelable ?? false
    const event = new MessageEvent(type, { data, lastEventId, origin, cancelable })
    this['~onMessage'](message, !this.dispatchEvent(event))
  }

  #dispatchError(reason: 'ended' | 'failed'): void {
    const event = new Event('error', { cancelable: this.#origin.isCancelable ?? false })
    this['~onError'](reason, !this.dispatchEvent(event))
  }

  /** A method, because TypeScript would assume that the state does not change during an `await`. */
  #isClosed(): boolean {
    return this.#readyState === closed
  }
}

function isEventStream({ headers }: Response): boolean {
  return /^\s*text\/event-stream\s*(?:;|$)/i.test(headers.get('content-type') ?? '')
}

/** Converts an id into a header value: each byte of its UTF-8 text as one character. */
export function toHeaderValue(lastEventId: string): string {
  return Array.from(new TextEncoder().encode(lastEventId), (byte) => String.fromCharCode(byte)).join('')
}
