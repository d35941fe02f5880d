import { RouteTable } from '../core/routing/route-table.ts'
import type { Route } from '../core/routing/route.ts'
import {
  isMessage,
  type PageDecision,
  type PageMessage,
  type RequestData,
  type Table,
  type WorkerMessage,
} from './protocol.ts'

/** A page that asked for mocking: its table, and the port to it. */
export class Connection {
  #table: Table = { routes: [], others: 'nothing', wantsJson: false }
  #index = new RouteTable<Route>()
  readonly #port: MessagePort | undefined
  #lastId = 0
  readonly #pending = new Map<number, (decision: PageMessage) => void>()

  /**
   * @param port nothing, where an earlier life of the worker had it
   */
  constructor(table: Table, port?: MessagePort) {
    this.setTable(table)
    this.#port = port
    port?.addEventListener('message', ({ data }: MessageEvent<unknown>) => this.#receive(data))
    port?.start()
  }

  get table(): Table {
    return this.#table
  }

  get isOpen(): boolean {
    return this.#port !== undefined
  }

  setTable(table: Table): void {
    this.#table = table
    this.#index = new RouteTable()
    table.routes.forEach((route, position) => this.#index.add(route, position, route))
  }

  /** Whether a handler of the page could match a request. */
  couldMatch(request: Request): boolean {
    return this.#index.candidates(request.method, new URL(request.url)).length > 0
  }

  send(message: WorkerMessage, transfer: Transferable[] = []): void {
    this.#port?.postMessage(message, transfer)
  }

  /** Asks the page about a request. */
  ask(request: RequestData): { id: number; decision: Promise<PageDecision> } {
    const { id, answer } = this.#expectAnswer()
    this.send({ type: 'request', id, request }, request.body ? [request.body] : [])
    return { id, decision: answer as Promise<PageDecision> }
  }

  /** Waits until the page has heard everything that was sent before. */
  async untilHeard(): Promise<void> {
    const { id, answer } = this.#expectAnswer()
    this.send({ type: 'hear', id })
    await answer
  }

  #expectAnswer(): { id: number; answer: Promise<PageMessage> } {
    this.#lastId += 1
    const id = this.#lastId
    return { id, answer: new Promise<PageMessage>((resolve) => this.#pending.set(id, resolve)) }
  }

  #receive(data: unknown): void {
    if (!isMessage(data)) return
    const message = data as PageMessage
    this.#pending.get(message.id)?.(message)
    this.#pending.delete(message.id)
  }
}

/** Whether a value has the shape of a table. */
export function isTable(value: unknown): value is Table {
  const { routes, others } = (value ?? {}) as Partial<Table>
  return (
    Array.isArray(routes) &&
    routes.every((route: Partial<Route> | null) => Array.isArray(route?.segments)) &&
    (others === 'nothing' || others === 'notify' || others === 'ask')
  )
}
