import { isMessage, type PageDecision, type PageMessage, type RequestData, type WorkerMessage } from './protocol.ts'
import { Table } from './table.ts'

/** A page that asked for mocking: its table, and the port to it. */
export class Connection {
  readonly table: Table = new Table()
  readonly #port: MessagePort | undefined
  #lastId = 0
  readonly #pending = new Map<number, (decision: PageMessage) => void>()

  /**
   * @param port nothing, where an earlier life of the worker had it
   */
  constructor(port?: MessagePort) {
    this.#port = port
    port?.addEventListener('message', ({ data }: MessageEvent<unknown>) => this.#receive(data))
    port?.start()
  }

  get isOpen(): boolean {
    return this.#port !== undefined
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
