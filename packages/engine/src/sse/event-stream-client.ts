import { describe } from '../core/describe.ts'
import { failure } from '../core/failure.ts'
import { formatEvent } from './format-event.ts'
import type { ServerSentEventMessage } from './server-sent-event.ts'

/** The client that requested an event stream: an `EventSource`, or any other client. */
export class ServerSentEventClient<EventMap extends object = { message: unknown }> {
  readonly #encoder = new TextEncoder()
  /** The bytes that were sent and not read yet, the newest last. */
  #chunks: Uint8Array<ArrayBuffer>[] = []
  /** The bytes that are read before those, the next one last: `shift()` would move all others of a long array. */
  #next: Uint8Array<ArrayBuffer>[] = []
  #state: 'open' | 'closed' | 'broken' = 'open'
  readonly #onError: () => void
  #begin!: () => void
  /** Wakes the reader that waits for data. */
  #wake = (): void => {}
  /** Without a type argument of `Uint8Array`, which TypeScript 5.6 does not have. */
  readonly '~body': ReadableStream<Uint8Array>
  /** Resolves when the response can start. */
  readonly '~begun': Promise<void>

  /**
   * @param onGone called when the client leaves
   * @param onError called when the handler breaks the connection, before the client gets the error
   */
  constructor(onGone: () => void, onError: () => void = () => {}) {
    this.#onError = onError
    this['~begun'] = new Promise((resolve) => {
      this.#begin = resolve
    })
    this['~body'] = new ReadableStream<Uint8Array<ArrayBuffer>>(
      {
        pull: (controller) => this.#pull(controller),
        cancel: () => {
          this.#state = 'closed'
          onGone()
        },
      },
      { highWaterMark: 0 },
    )
  }

  /**
   * Sends an event. Objects are sent as JSON. Has no effect when the stream is over.
   *
   * @throws {UnderstudyError} if `data` is `undefined` or cannot be sent, `id` or `type` has several lines, or `retry`
   *   is not a time
   * @example
   * client.send({ data: 'hello' })
   * client.send({ id: '5', event: 'joined', data: { name: 'Ada' } })
   * client.send({ retry: 1000 })
   */
  send(message: ServerSentEventMessage<EventMap>): void {
    this['~write'](formatEvent(message))
  }

  /**
   * Sends a `MessageEvent`. For an event `error` or `close`, calls {@link error} or {@link close}.
   *
   * @throws {UnderstudyError} if it is another kind of event
   */
  dispatchEvent(event: Event): void {
    if (event instanceof MessageEvent) {
      const { type, data, lastEventId } = event as MessageEvent<unknown>
      this['~write'](formatEvent({ ...(lastEventId !== '' && { id: lastEventId }), event: type, data }))
    } else if (event.type === 'error') {
      this.error()
    } else if (event.type === 'close') {
      this.close()
    } else {
      throw failure(
        'US0621',
        'dispatch an event',
        `it is ${describe(event)}`,
        'Pass a MessageEvent, or call client.send().',
      )
    }
  }

  /** Ends the stream. An `EventSource` connects again after a while: answer it with `204` to make it stop. */
  close(): void {
    this.#end('closed')
  }

  /**
   * Breaks the connection. An `EventSource` of a page then stays closed, as with MSW: to make it connect again, call
   * {@link close}. Data that has not arrived may be lost.
   */
  error(): void {
    if (this.#state === 'open') this.#onError()
    this['~break']()
  }

  /** Breaks the connection, as if the network failed: an `EventSource` connects again after a while. */
  '~break'(): void {
    this.#end('broken')
  }

  /** Whether the stream broke before anything was sent. */
  get '~isRefused'(): boolean {
    return this.#state === 'broken' && this.#isRead
  }

  /** Whether all that was sent has been read. */
  get #isRead(): boolean {
    return this.#chunks.length + this.#next.length === 0
  }

  /** Starts the response before there is an event. */
  '~open'(): void {
    this.#begin()
  }

  '~write'(text: string): void {
    if (this.#state !== 'open') return
    this.#chunks.push(this.#encoder.encode(text))
    this.#begin()
    this.#wake()
  }

  #end(state: 'closed' | 'broken'): void {
    if (this.#state !== 'open') return
    this.#state = state
    this.#begin()
    this.#wake()
  }

  async #pull(controller: ReadableStreamDefaultController<Uint8Array<ArrayBuffer>>): Promise<void> {
    if (this.#isRead && this.#state === 'open') {
      await new Promise<void>((resolve) => {
        this.#wake = resolve
      })
    }
    if (this.#next.length === 0) [this.#next, this.#chunks] = [this.#chunks.reverse(), []]
    const chunk = this.#next.pop()
    if (chunk) controller.enqueue(chunk)
    else if (this.#state === 'broken') controller.error(new TypeError('The handler broke the event stream.'))
    else controller.close()
  }
}
