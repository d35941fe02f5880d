import { print } from '../core/failure.ts'
import { markAsDocument } from '../core/network/document-request.ts'
import { handleRequest } from '../core/network/handle-request.ts'
import type { Network, UnderWay } from '../core/network/network.ts'
import type { Outcome } from '../core/network/outcome.ts'
import type { PageMessage, RequestData, WorkerMessage } from '../worker/protocol.ts'
import { isWorkerMessage } from './is-worker-message.ts'
import type { KeepAlive } from './keep-alive.ts'
import { requestFromData, responseFromData, toTransfer } from './request-from-data.ts'
import { SentBody } from './sent-body.ts'

/** What the channels of a page to its worker share. */
export interface WorkerPage {
  readonly keepAlive: KeepAlive
  /** The client ids of the page's web workers. */
  readonly workers: Set<string>
}

/** One port to a worker, from hello to the end of the worker's life: requests come in, decisions go out. */
export class WorkerChannel {
  /** The version of the worker, once it has answered. */
  readonly connected: Promise<string>
  /** The page's client id, once the worker has answered. */
  clientId: string | undefined
  readonly #port: MessagePort
  readonly #network: Network
  readonly #page: WorkerPage
  #isDown = false
  #welcome: (version: string) => void = () => {}
  /** Requests that the page is deciding about. */
  readonly #pending = new Map<number, AbortController>()
  /** Who wants to hear what came back for a performed request. */
  readonly #tells = new Map<number, (response: Response) => void>()

  constructor(port: MessagePort, network: Network, page: WorkerPage) {
    this.#port = port
    this.#network = network
    this.#page = page
    this.connected = new Promise((resolve) => {
      this.#welcome = resolve
    })
    port.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
      if (!isWorkerMessage(data)) return
      try {
        this.#receive(data)
      } catch (error) {
        // A request or a response that the platform does not construct.
        print.error(
          `Failed to read the message "${data.type}" of the service worker: see the error. It is ignored.`,
          error,
        )
      }
    })
    port.start()
  }

  /** Has every request performed that comes from now on; what is being decided is still answered. */
  standDown(): void {
    this.#isDown = true
  }

  #receive(message: WorkerMessage): void {
    switch (message.type) {
      case 'connected':
        this.clientId = message.clientId
        this.#welcome(message.version)
        return
      case 'owns':
        this.#page.workers.add(message.clientId)
        return
      case 'request':
        if (this.#isDown) this.#perform(message.id, message.request.body, false, true)
        else void this.#decide(message.id, message.request)
        return
      case 'hear':
        this.#send({ type: 'heard', id: message.id })
        return
      case 'abort':
        this.#pending.get(message.id)?.abort()
        return
      case 'notice':
        if (this.#isDown) return
        void handleRequest(requestFromData(message.request, new AbortController().signal), this.#network)
        return
      case 'performed':
        this.#tells.get(message.id)?.(responseFromData(message.response))
        this.#tells.delete(message.id)
    }
  }

  async #decide(id: number, data: RequestData): Promise<void> {
    const controller = new AbortController()
    this.#pending.set(id, controller)
    this.#page.keepAlive.while(() => this.#pending.has(id))
    const underWay: UnderWay = { cameAt: performance.now(), giveUp: (reason) => controller.abort(reason) }
    // A module that failed to load fails for as long as the page lives.
    if (data.destination === '') this.#network.underWay.add(underWay)
    try {
      const body = new SentBody(data, controller.signal)
      const request = body.copy()
      if (data.mode === 'navigate') markAsDocument(request)
      await this.#carry(id, await handleRequest(request, this.#network, undefined, body), data.body)
    } catch (error) {
      print.error(`Failed to answer ${data.method} ${data.url}: see the error. The request fails.`, error)
      this.#send({ type: 'network-error', id })
    } finally {
      this.#pending.delete(id)
      this.#network.underWay.delete(underWay)
    }
  }

  /** @param body the request's, which its worker has handed over and needs to perform it */
  async #carry(id: number, outcome: Outcome, body: ArrayBuffer | null): Promise<void> {
    switch (outcome.type) {
      case 'mocked': {
        const { data, transfer } = await toTransfer(outcome.response)
        this.#send({ type: 'mocked', id, response: data }, transfer)
        const { body: stream } = data
        // The platform locks a stream that was transferred until it has ended.
        if (stream instanceof ReadableStream) this.#page.keepAlive.while(() => stream.locked)
        return
      }
      case 'network-error':
        this.#send({ type: 'network-error', id })
        return
      case 'passthrough':
      case 'unhandled':
        if (outcome.tell) this.#tells.set(id, outcome.tell)
        this.#perform(id, body, outcome.tell !== undefined, outcome.type === 'unhandled')
    }
  }

  #perform(id: number, body: ArrayBuffer | null, tell: boolean, isUnhandled: boolean): void {
    this.#send({ type: 'perform', id, body, tell, isUnhandled }, body === null ? [] : [body])
  }

  #send(message: PageMessage, transfer: Transferable[] = []): void {
    this.#port.postMessage(message, transfer)
  }
}
