import {
  isDecision,
  isMessage,
  type PageDecision,
  type PageMessage,
  type RequestData,
  type WorkerMessage,
} from './protocol.ts'
import { Table } from './table.ts'

/** One engine of a page that mocks, with its route table and the port to it. */
export class Connection {
  readonly clientId: string
  /** Identifies the engine within its page. */
  readonly engine: string
  readonly table: Table = new Table()
  readonly #port: MessagePort
  #lastId = 0
  #isClosed = false
  readonly #pending = new Map<number, (decision: PageMessage | undefined) => void>()

  constructor(clientId: string, engine: string, port: MessagePort) {
    this.clientId = clientId
    this.engine = engine
    this.#port = port
    port.addEventListener('message', ({ data }: MessageEvent<unknown>) => this.#receive(data))
    port.start()
  }

  /** Whether the worker waits for an answer of the page. */
  get isAsked(): boolean {
    return this.#pending.size > 0
  }

  send(message: WorkerMessage, transfer: Transferable[] = []): void {
    this.#port.postMessage(message, transfer)
  }

  /**
   * Asks the page about a request. The decision is `undefined` if the page closes before it answers, and `null` if its
   * answer is not a valid decision.
   */
  ask(request: RequestData, isCandidate: boolean): { id: number; decision: Promise<PageDecision | null | undefined> } {
    const { id, answer } = this.#expectAnswer()
    this.send({ type: 'request', id, request, couldMatch: isCandidate }, request.body ? [request.body] : [])
    // An invalid decision fails the request. Sending it to the network could let it through unmocked.
    return { id, decision: answer.then((message) => message && (isDecision(message) ? message : null)) }
  }

  /** Waits until the page has received all earlier messages. Returns `false` if the page closes instead. */
  async untilHeard(): Promise<boolean> {
    const { id, answer } = this.#expectAnswer()
    this.send({ type: 'hear', id })
    return (await answer) !== undefined
  }

  /** Ends the connection, because the page was closed and no longer answers. */
  close(): void {
    this.#isClosed = true
    for (const resolve of this.#pending.values()) resolve(undefined)
    this.#pending.clear()
  }

  #expectAnswer(): { id: number; answer: Promise<PageMessage | undefined> } {
    this.#lastId += 1
    const id = this.#lastId
    return {
      id,
      answer: new Promise((resolve) => {
        if (this.#isClosed) resolve(undefined)
        else this.#pending.set(id, resolve)
      }),
    }
  }

  #receive(data: unknown): void {
    if (!isMessage(data)) return
    const message = data as PageMessage
    this.#pending.get(message.id)?.(message)
    this.#pending.delete(message.id)
  }
}

/** The engines of a page that mocks, at least one. */
export type MockingPage = readonly Connection[]

/** Returns whether handlers of a page could match a request. */
export function couldMatch(page: MockingPage, request: Request): boolean {
  return page.some(({ table }) => table.couldMatch(request))
}
