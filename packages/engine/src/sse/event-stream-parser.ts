/** An event of a stream. */
export interface StreamedEvent {
  /** `message` if the stream has no type for it. */
  type: string
  data: string
  /** The last id in the stream until now; empty if there is none. */
  lastEventId: string
}

/** Receives the parsed events of a stream. */
export interface EventStreamListener {
  onEvent(event: StreamedEvent): void
  /** @param time milliseconds */
  onRetry(time: number): void
  /** Called with the last id of the stream. A reconnection uses it, even if no event has it. */
  onLastEventId(id: string): void
}

/**
 * Parses an event stream in pieces.
 *
 * @see https://html.spec.whatwg.org/multipage/server-sent-events.html#event-stream-interpretation
 */
export class EventStreamParser {
  readonly #listener: EventStreamListener
  readonly #decoder = new TextDecoder()
  /** The text after the last end of a line. */
  #rest = ''
  /** Whether the last piece ended with a carriage return. A line feed at the start of the next piece belongs to it. */
  #isAfterReturn = false
  #type = ''
  #data = ''
  #lastEventId: string

  constructor(listener: EventStreamListener, lastEventId: string) {
    this.#listener = listener
    this.#lastEventId = lastEventId
  }

  push(bytes: Uint8Array): void {
    let text = this.#decoder.decode(bytes, { stream: true })
    if (text === '') return
    if (this.#isAfterReturn && text.startsWith('\n')) text = text.slice(1)
    this.#isAfterReturn = text.endsWith('\r')
    const lines = (this.#rest + text).split(/\r\n|\n|\r/)
    this.#rest = lines.pop() ?? ''
    for (const line of lines) this.#readLine(line)
  }

  #readLine(line: string): void {
    if (line === '') {
      this.#dispatch()
      return
    }
    const colon = line.indexOf(':')
    if (colon === 0) return
    const field = colon === -1 ? line : line.slice(0, colon)
    const value = colon === -1 ? '' : line.slice(colon + 1).replace(/^ /, '')
    if (field === 'data') this.#data += `${value}\n`
    else if (field === 'event') this.#type = value
    else if (field === 'id' && !value.includes('\0')) this.#lastEventId = value
    else if (field === 'retry' && /^\d+$/.test(value)) this.#listener.onRetry(Number(value))
  }

  #dispatch(): void {
    const [type, data] = [this.#type, this.#data]
    this.#type = ''
    this.#data = ''
    this.#listener.onLastEventId(this.#lastEventId)
    if (data === '') return
    this.#listener.onEvent({
      type: type === '' ? 'message' : type,
      data: data.slice(0, -1),
      lastEventId: this.#lastEventId,
    })
  }
}
