import { later } from '../../core/real-time.ts'
import type { SettingAnswer, SettingMessage } from '../../worker/protocol.ts'
import { getGate } from '../gate/gate.ts'
import { postToWorker, type Engine } from './worker-handshake.ts'
import { covers, createTable, toMessage, type PageTable } from './worker-table.ts'

/**
 * The time that the worker keeps routes without handlers, in milliseconds. Tests and stories remove their handlers just
 * before the next ones add handlers for the same routes.
 */
const narrowingDelay = 100

/** Sends the route table of this page to the worker. Holds requests while the worker has an outdated table. */
export class TableSync {
  /** The route table that was last sent to the worker. Without one, the worker gets no smaller table. */
  known: PageTable | undefined
  /** Whether it was checked that the page's requests reach the worker. The gate stays closed until then. */
  isStarted = false
  #hasEnded = false
  readonly #registration: ServiceWorkerRegistration
  readonly #engine: Engine
  readonly #reconnect: () => Promise<void>
  /** The number of changes that the worker has not received yet. Requests are held while it is not 0. */
  #unknown = 0
  #lastChange: Promise<void> = Promise.resolve()
  /** Whether it will be checked soon which routes are no longer needed. */
  #isNarrowing = false

  /** @param reconnect connects to a worker that has lost its table */
  constructor(registration: ServiceWorkerRegistration, engine: Engine, reconnect: () => Promise<void>) {
    this.#registration = registration
    this.#engine = engine
    this.#reconnect = reconnect
  }

  /**
   * Ends it. From now on, it neither holds requests nor opens the gate, because a stop or another start holds it. The
   * worker keeps its table until the page disconnects.
   */
  end(): void {
    this.isStarted = false
    this.#hasEnded = true
  }

  /** Resolves when the worker has received the last change. */
  get lastChange(): Promise<void> {
    return this.#lastChange
  }

  /**
   * Sends a change to the worker. Until the worker has a new route, requests are held: the worker would send them to
   * the network. If the worker only has routes that are no longer needed, it asks the page about them for some time.
   */
  send(): void {
    if (this.#hasEnded) return
    const { known } = this
    const table = createTable(this.#engine.network)
    if (known && covers(known, table)) {
      if (this.#isNarrowing) return
      this.#isNarrowing = true
      later(() => this.#narrow(), narrowingDelay)
    } else this.#lastChange = this.holdUntil(this.#send(table))
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

  #narrow(): void {
    this.#isNarrowing = false
    const { known } = this
    const table = createTable(this.#engine.network)
    // Edited handlers mostly have the routes that they had before.
    if (known && !covers(table, known)) void this.#send(table)
  }

  async #send(table: PageTable): Promise<void> {
    const { known } = this
    this.known = table
    const message = {
      type: 'understudy:table',
      engine: this.#engine.id,
      table: toMessage(table, known),
    } satisfies SettingMessage
    const answer = await postToWorker<SettingAnswer>(this.#registration, message)
    // The browser has terminated the worker meanwhile, and the restarted worker has no table. Without an answer, the
    // worker may not have it either.
    if (answer?.isIncomplete !== false && this.known) await this.#reconnect()
  }
}
