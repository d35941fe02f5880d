import type { NetworkHandle, Source } from '../core/source.ts'
import { FetchSource } from './fetch/fetch-source.ts'
import { startListening } from './listening.ts'
import { InterceptorsSource } from './sockets/interceptors-source.ts'
import { WebSocketSource } from './web-socket-source.ts'

/**
 * Brings in what this process requests. Its parts replace globals, which all networks of the process share; they ask the
 * networks that listen.
 */
export class ProcessSource implements Source {
  readonly name = 'process'
  readonly #parts: readonly Source[] = [new FetchSource(), new InterceptorsSource(), new WebSocketSource()]
  #stopListening: (() => void) | undefined

  /** Can be called again: then it replaces the globals that other code has replaced since. */
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
