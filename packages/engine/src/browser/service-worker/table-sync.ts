import type { SettingAnswer, SettingMessage } from '../../worker/protocol.ts'
import { getGate } from '../gate/gate.ts'
import { postToWorker, type Engine } from './worker-handshake.ts'
import { covers, createTable, isSameTable, toMessage, type PageTable } from './worker-table.ts'

/** Sends the route table of this page to the worker. Holds requests while the worker has an outdated table. */
export class TableSync {
  /** The route table that was last sent to the worker. */
  known: PageTable | undefined
  /** Whether it was checked that the page's requests reach the worker. The gate stays closed until then. */
  isStarted = false
  readonly #registration: ServiceWorkerRegistration
  readonly #engine: Engine
  readonly #reconnect: () => Promise<void>
  /** The number of changes that the worker has not received yet. Requests are held while it is not 0. */
  #unknown = 0
  #lastChange: Promise<void> = Promise.resolve()

  /** @param reconnect connects to a worker that has lost its table */
  constructor(registration: ServiceWorkerRegistration, engine: Engine, reconnect: () => Promise<void>) {
    this.#registration = registration
    this.#engine = engine
    this.#reconnect = reconnect
  }

  /** Resolves when the worker has received the last change. */
  get lastChange(): Promise<void> {
    return this.#lastChange
  }

  /**
   * Sends a change to the worker. Until the worker has a new route, requests are held: the worker would send them to
   * the network.
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

  /** Holds the requests of the page until a promise settles. */
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
    // The browser has terminated the worker meanwhile, and the restarted worker has no table.
    if (answer?.isIncomplete) await this.#reconnect()
  }
}
