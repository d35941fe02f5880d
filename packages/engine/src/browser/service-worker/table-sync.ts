import type { SettingAnswer, SettingMessage } from '../../worker/protocol.ts'
import { getGate } from '../gate/gate.ts'
import { postToWorker, type Engine } from './worker-handshake.ts'
import { covers, createTable, isSameTable, toMessage, type PageTable } from './worker-table.ts'

/** Keeps the worker informed of what the handlers of this page could match. Requests are held while it is not. */
export class TableSync {
  /** The table that the worker was sent last. */
  known: PageTable | undefined
  /** Whether the page's requests were seen to reach the worker. The gate stays shut until then. */
  isStarted = false
  readonly #registration: ServiceWorkerRegistration
  readonly #engine: Engine
  readonly #reconnect: () => Promise<void>
  /** What the worker does not know yet. While there is something, requests are held. */
  #unknown = 0
  #lastChange: Promise<void> = Promise.resolve()

  /** @param reconnect connects to a worker that has lost its table */
  constructor(registration: ServiceWorkerRegistration, engine: Engine, reconnect: () => Promise<void>) {
    this.#registration = registration
    this.#engine = engine
    this.#reconnect = reconnect
  }

  /** Resolves when the worker knows the last change. */
  get lastChange(): Promise<void> {
    return this.#lastChange
  }

  /**
   * Tells the worker of a change. While it does not know of a route yet, requests are held: the worker would let
   * them pass.
   */
  send(): void {
    const { known } = this
    const table = createTable(this.#engine.network)
    const isWider = !known || !covers(known, table)
    if (known && isSameTable(table, known)) return
    this.known = table
    const told = this.#send(table, known)
    if (isWider) this.#lastChange = this.holdUntil(told)
  }

  /** Holds the requests of the page until something has happened. */
  async holdUntil(happened: Promise<unknown>): Promise<void> {
    this.#unknown += 1
    getGate()?.hold()
    await happened
    this.#unknown -= 1
    const gate = getGate()
    if (this.#unknown === 0 && this.isStarted) gate?.open(gate.replacements)
  }

  async #send(table: PageTable, known: PageTable | undefined): Promise<void> {
    const message = {
      type: 'understudy:table',
      engine: this.#engine.id,
      table: toMessage(table, known),
    } satisfies SettingMessage
    const answer = await postToWorker<SettingAnswer>(this.#registration, message)
    // The browser has terminated the worker since, and the restarted worker has no table.
    if (answer?.isIncomplete) await this.#reconnect()
  }
}
