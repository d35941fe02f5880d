import { createCloseEvent } from '../ws/connection-event.ts'
import type { MockedSocket } from '../ws/mocked-socket.ts'

/** The object that acts for a WebSocket of a web worker: until it is known who opens the connection, and later. */
export class WebWorkerSocket {
  readonly #target: EventTarget
  /** Acts for the app's object unless the platform opens the connection. It always has the app's event handlers. */
  readonly #mocked: MockedSocket
  #current: WebSocket | MockedSocket

  constructor(target: EventTarget, mocked: MockedSocket) {
    this.#target = target
    this.#mocked = mocked
    this.#current = mocked
  }

  /** Lets a WebSocket of the platform act for the app's object, and dispatches its events there. */
  use(real: WebSocket): void {
    const target = this.#target
    real.binaryType = this.binaryType
    this.#current = real
    for (const type of ['open', 'error']) real.addEventListener(type, () => target.dispatchEvent(new Event(type)))
    real.addEventListener('message', ({ data, origin }: MessageEvent<unknown>) => {
      target.dispatchEvent(new MessageEvent('message', { data, origin }))
    })
    real.addEventListener('close', ({ code, reason, wasClean }) => {
      target.dispatchEvent(createCloseEvent({ code, reason, wasClean }))
    })
  }

  get url(): string {
    return this.#current.url
  }

  get readyState(): number {
    return this.#current.readyState
  }

  get bufferedAmount(): number {
    return this.#current.bufferedAmount
  }

  get extensions(): string {
    return this.#current.extensions
  }

  get protocol(): string {
    return this.#current.protocol
  }

  get binaryType(): BinaryType {
    return this.#current.binaryType
  }

  set binaryType(type: BinaryType) {
    this.#current.binaryType = type
  }

  get onopen(): unknown {
    return this.#mocked.onopen
  }

  set onopen(handler: unknown) {
    this.#mocked.onopen = handler
  }

  get onmessage(): unknown {
    return this.#mocked.onmessage
  }

  set onmessage(handler: unknown) {
    this.#mocked.onmessage = handler
  }

  get onerror(): unknown {
    return this.#mocked.onerror
  }

  set onerror(handler: unknown) {
    this.#mocked.onerror = handler
  }

  get onclose(): unknown {
    return this.#mocked.onclose
  }

  set onclose(handler: unknown) {
    this.#mocked.onclose = handler
  }

  send(...args: Parameters<WebSocket['send']>): void {
    this.#current.send(...args)
  }

  close(...args: Parameters<WebSocket['close']>): void {
    this.#current.close(...args)
  }
}
