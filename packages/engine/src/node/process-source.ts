import type { NetworkHandle, Source } from '../core/source.ts'
import { EventSourceSource } from './event-source-source.ts'
import { FetchSource } from './fetch/fetch-source.ts'
import { startListening } from './listening.ts'
import { PageForms } from './page-forms.ts'
import { InterceptorsSource } from './sockets/interceptors-source.ts'
import { WebSocketSource } from './web-socket-source.ts'

/**
 * Brings in the requests of this process. Its parts replace globals, which all networks of the process share, and ask
 * all listening networks.
 */
export class ProcessSource implements Source {
  readonly name = 'process'
  readonly #parts: readonly Source[] = [
    new EventSourceSource(),
    new FetchSource(),
    new InterceptorsSource(),
    new WebSocketSource(),
    new PageForms(),
  ]
  #stopListening: (() => void) | undefined

  get isStarted(): boolean {
    return this.#stopListening !== undefined
  }

  /** A second call replaces the globals that other code has replaced since. */
  start(network: NetworkHandle): void {
    this.#stopListening ??= startListening(network['~network'])
    for (const part of this.#parts) void part.start(network)
  }

  stop(): void {
    this.#stopListening?.()
    this.#stopListening = undefined
    for (const part of this.#parts) void part.stop()
  }
}
