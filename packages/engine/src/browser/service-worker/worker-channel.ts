import { print } from '../../core/failure.ts'
import { markAsOfApp } from '../../core/network/document-request.ts'
import { handleAtOnce } from '../../core/network/handle-request.ts'
import type { Network } from '../../core/network/network.ts'
import type { Outcome } from '../../core/network/outcome.ts'
import { isForCode } from '../../core/routing/code-destinations.ts'
import { carryOut } from '../../core/source.ts'
import { isSocketQuestion, type PageMessage, type RequestData, type WorkerMessage } from '../../worker/protocol.ts'
import { answerLimit } from '../lifecycle/time-outs.ts'
import { isWorkerMessage } from './is-worker-message.ts'
import type { KeepAlive } from './keep-alive.ts'
import { requestFromData, responseFromData, toTransfer } from './request-from-data.ts'
import { sentBodies } from './sent-body-watch.ts'
import { SentBody } from './sent-body.ts'

/** The state that all channels of a page to its worker share. */
export interface WorkerPage {
  readonly keepAlive: KeepAlive
  /** The client ids or `blob:` URLs of the page's web workers. */
  readonly workers: Set<string>
}

/** One port to a worker, from the handshake until the worker terminates. Receives requests and sends decisions. */
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
  /** The requests about which the page is deciding. */
  readonly #pending = new Map<number, AbortController>()
  /** The listeners that get the response of a request that passed through. */
  readonly #responseListeners = new Map<number, (response: Response) => void>()

  constructor(port: MessagePort, network: Network, page: WorkerPage) {
    this.#port = port
    this.#network = network
    this.#page = page
    this.connected = new Promise((resolve) => {
      this.#welcome = resolve
    })
    port.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
      if (!isWorkerMessage(data)) {
        // A request of a newer worker may have another form. If it waited, that worker could not be replaced.
        const id = (data as { id?: unknown } | null)?.id
        if (typeof id === 'number') this.#send({ type: 'network-error', id })
        return
      }
      try {
        this.#receive(data)
      } catch (error) {
        // The platform cannot construct the request or the response.
        print.error(
          'US0307',
          `Failed to read the message "${data.type}" of the service worker: see the error. The message is ignored.`,
          error,
        )
      }
    })
    port.start()
  }

  /** Lets all later requests pass through. Handlers still answer the pending ones. */
  standDown(): void {
    this.#isDown = true
  }

  /**
   * Closes the port to a worker that has no pending requests, because the browser keeps an open port, and with it the
   * handlers. The response for a listener may still arrive.
   */
  close(): void {
    if (this.#responseListeners.size === 0) this.#port.close()
  }

  #receive(message: WorkerMessage): void {
    switch (message.type) {
      case 'connected':
        this.clientId = message.clientId
        this.#welcome(message.version)
        return
      case 'refused':
        this.#welcome(message.version)
        return
      case 'owns':
        this.#page.workers.add(message.clientId)
        return
      case 'request':
        if (this.#isDown) this.#passThrough(message.id, message.request.body, false, true)
        else void this.#decide(message.id, message.request, message.couldMatch)
        return
      case 'hear':
        this.#send({ type: 'heard', id: message.id })
        return
      case 'abort':
        this.#pending.get(message.id)?.abort()
        return
      case 'notice':
        if (this.#isDown) return
        this.#network.progress.call({ type: 'worker', reason: 'left-alone' })
        void handleAtOnce(requestFromData(message.request, new AbortController().signal), this.#network)
        return
      case 'response':
        this.#responseListeners.get(message.id)?.(responseFromData(message.response))
        this.#responseListeners.delete(message.id)
    }
  }

  async #decide(id: number, data: RequestData, couldMatch: boolean): Promise<void> {
    const controller = new AbortController()
    this.#pending.set(id, controller)
    const cameAt = performance.now()
    this.#page.keepAlive.while(() => {
      const isPending = this.#pending.has(id)
      if (!isPending || sentBodies.watch || performance.now() - cameAt < answerLimit) return isPending
      void import('../reports/report-escaped.ts').then(({ reportLate }) => reportLate(data))
      return false
    })
    // If the module failed to load, each later import of it fails, too.
    const untrack = data.destination === '' && this.#network.track((reason) => controller.abort(reason))
    try {
      // A web worker opens a WebSocket.
      if (isSocketQuestion(data.url)) {
        const file = import('../connections/web-worker-sockets.ts')
        this.#send(await file.then(({ answerWebWorker }) => answerWebWorker(id, this.#network, data.body)))
        return
      }
      const body = new SentBody(data, controller.signal)
      const request = body.copy()
      if (data.mode === 'navigate' || isForCode(data)) markAsOfApp(request, data.mode)
      // This and the next line must run together: no other request may start between them.
      this.#network.progress.call({ type: 'worker', reason: couldMatch ? 'could-match' : 'observed' })
      const outcome = await handleAtOnce(request, this.#network, undefined, body)
      await this.#carry(id, outcome, data, couldMatch && data.mode !== 'navigate' && isForCode(data))
    } catch (error) {
      print.error('US0308', `Failed to answer ${data.method} ${data.url}: see the error. The request fails.`, error)
      this.#send({ type: 'network-error', id })
    } finally {
      this.#pending.delete(id)
      if (untrack) untrack()
    }
  }

  /**
   * Sends the outcome of a request to the worker.
   *
   * @param mayBeSkipped whether a handler may not have answered only because the request is for code of the app
   */
  async #carry(id: number, outcome: Outcome, data: RequestData, mayBeSkipped: boolean): Promise<void> {
    const { method, url, body } = data
    await carryOut<void | Promise<void>>(outcome, {
      respond: async (response) => {
        const watch = sentBodies.watch?.countBody.bind(undefined, method, url)
        const { data: mocked, transfer } = await toTransfer(response, watch)
        this.#send({ type: 'mocked', id, response: mocked }, transfer)
        const { body: stream } = mocked
        // A transferred stream stays locked until it has ended.
        if (stream instanceof ReadableStream) this.#page.keepAlive.while(() => stream.locked)
      },
      fail: () => this.#send({ type: 'network-error', id }),
      passthrough: ({ type, onResponse }) => {
        const listener =
          mayBeSkipped && type === 'unhandled'
            ? (response: Response) => {
                onResponse?.(response.clone())
                void import('../reports/report-escaped.ts').then(({ reportSkipped }) =>
                  reportSkipped(data, this.#network, response),
                )
              }
            : onResponse
        if (listener) this.#responseListeners.set(id, listener)
        this.#passThrough(id, body, listener !== undefined, type === 'unhandled')
      },
    })
  }

  #passThrough(id: number, body: ArrayBuffer | null, wantsResponse: boolean, isUnhandled: boolean): void {
    this.#send({ type: 'passthrough', id, body, wantsResponse, isUnhandled }, body === null ? [] : [body])
  }

  #send(message: PageMessage, transfer: Transferable[] = []): void {
    this.#port.postMessage(message, transfer)
  }
}
