import { bypass } from '../core/responses/bypass.ts'
import type { ServerSentEventClient } from './event-stream-client.ts'
import type { StreamedEvent } from './event-stream-parser.ts'
import { FetchEventSource, toHeaderValue, type EventSourceOrigin } from './fetch-event-source.ts'

type AnyClient = Pick<ServerSentEventClient, 'close' | '~break' | '~open' | '~write'>

/** The real server of an event stream. No request is sent to it until the handler calls `connect()`. */
export class ServerSentEventServer {
  readonly #request: Request
  readonly #client: AnyClient
  readonly #sources = new Set<EventSource>()
  #isOver = false

  constructor(request: Request, client: AnyClient) {
    this.#request = request
    this.#client = client
  }

  /**
   * Sends the app's request to the real server. The app gets its events, its end and its error (as an `error` event),
   * unless a listener calls `preventDefault()`. Sends no request, and returns a closed source, if the app's stream is over.
   *
   * @example
   * const source = server.connect()
   * source.addEventListener('message', (event) => {
   *   event.preventDefault()
   *   client.send({ data: event.data.toUpperCase() })
   * })
   */
  connect(): EventSource {
    const isOver = this.#isOver || this.#request.signal.aborted
    const source = new ForwardingEventSource(toOrigin(this.#request, isOver), this.#client)
    if (isOver) source.close()
    this.#sources.add(source)
    return source
  }

  /** Ends the connection when the app's stream is over. */
  '~close'(): void {
    this.#isOver = true
    for (const source of this.#sources) source.close()
  }
}

class ForwardingEventSource extends FetchEventSource {
  readonly #client: AnyClient
  /** The last id that the app got. */
  #sentId = ''

  constructor(origin: EventSourceOrigin, client: AnyClient) {
    super(origin)
    this.#client = client
  }

  protected override '~onOpen'(): void {
    this.#client['~open']()
  }

  protected override '~onRetry'(time: number): void {
    this.#client['~write'](`retry: ${time}\n\n`)
  }

  protected override '~onMessage'({ type, data, lastEventId }: StreamedEvent, isPrevented: boolean): void {
    if (isPrevented) return
    const lines = data.split('\n').map((line) => `data: ${line}\n`)
    // An empty id removes the previous id.
    const id = lastEventId === '' && this.#sentId === '' ? '' : `id: ${lastEventId}\n`
    this.#sentId = lastEventId
    this.#client['~write'](`${id}event: ${type}\n${lines.join('')}\n`)
  }

  protected override '~onError'(reason: 'ended' | 'failed', isPrevented: boolean): void {
    if (isPrevented) return
    // The app's `EventSource` reconnects automatically.
    this.close()
    if (reason === 'ended') this.#client.close()
    else this.#client['~break']()
  }
}

function toOrigin(request: Request, isOver: boolean): EventSourceOrigin {
  return {
    url: request.url,
    withCredentials: request.credentials === 'include',
    isCancelable: true,
    request(lastEventId, signal) {
      if (isOver) return Promise.reject(new DOMException('The stream is over.', 'AbortError'))
      const real = bypass(request, { signal, cache: 'no-store' })
      if (lastEventId !== '') real.headers.set('last-event-id', toHeaderValue(lastEventId))
      return fetch(real)
    },
  }
}
