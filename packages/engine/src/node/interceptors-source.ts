import { handleRequest } from '../core/network/handle-request.ts'
import type { Network } from '../core/network/network.ts'
import { isBypassed, removeBypassMark } from '../core/responses/bypass.ts'
import { tellToContinue } from './expect-continue.ts'
import { onFirstConnection } from './first-connection.ts'
import { replaceGlobalPool } from './global-dispatcher.ts'
import { recordSpellingFromTheStart } from './header-spelling.ts'
import { loadInterceptors } from './load-interceptors.ts'
import { answerPreflight, toPageResponse } from './page-requests.ts'
import { beginWatching } from './retired-sockets.ts'
import { passUnwatchedSockets } from './watched-sockets.ts'

/**
 * Brings in what the clients of this process request over sockets: `http`, `https`, undici and all that is built on
 * them, and a page-like `XMLHttpRequest`.
 */
export class InterceptorsSource {
  readonly #network: Network
  #stop: (() => void) | undefined

  constructor(network: Network) {
    this.#network = network
  }

  start(): void {
    if (this.#stop) return
    const restoreGlobalPool = replaceGlobalPool()
    let watchNone: (() => void) | undefined
    const watch = (): void => {
      watchNone = this.#watch()
    }
    const endWait = 'XMLHttpRequest' in globalThis ? watch() : onFirstConnection(watch)
    this.#stop = () => {
      restoreGlobalPool()
      endWait?.()
      watchNone?.()
    }
  }

  /** Returns what ends it. */
  #watch(): () => void {
    const { BatchInterceptor, HttpRequestInterceptor, RequestController, XMLHttpRequestInterceptor } =
      loadInterceptors()
    const interceptor = new BatchInterceptor({
      name: 'understudy',
      interceptors: [new HttpRequestInterceptor(), new XMLHttpRequestInterceptor()],
    })
    const tells = new WeakMap<Request, (response: Response) => void>()
    let isTelling = false
    // Responses of the network are held back and parsed while there is such a listener.
    const startTelling = (): void => {
      if (!isTelling) interceptor.on('response', ({ request, response }) => tells.get(request)?.(response))
      isTelling = true
    }

    interceptor.on('request', async ({ request, requestId, controller, initiator }) => {
      const isOpen = (): boolean => controller.readyState === RequestController.PENDING
      // Another server of this process may have answered.
      if (!isOpen()) return
      // How WebSockets connect: the WebSocket source has decided about that already.
      if (request.headers.get('upgrade')?.toLowerCase() === 'websocket') return
      const preflight = answerPreflight(request, this.#network)
      if (preflight) {
        controller.respondWith(preflight)
        return
      }
      if (!this.#network.isConcerned) {
        await perform(request, controller)
        return
      }
      if (couldAnswer(request, this.#network)) tellToContinue(request, initiator)
      const outcome = await handleRequest(request, this.#network, requestId)
      // The client may have given it up.
      if (!isOpen()) return
      if (outcome.type === 'mocked') {
        controller.respondWith(toPageResponse(withFraming(outcome.response, request), request))
        return
      }
      if (outcome.type === 'network-error') {
        controller.errorWith(outcome.error)
        return
      }
      if (outcome.tell) {
        startTelling()
        tells.set(request, outcome.tell)
      }
      await perform(request, controller)
    })
    interceptor.apply()
    recordSpellingFromTheStart()
    const watchAllSockets = passUnwatchedSockets()
    const endWatching = beginWatching()
    return () => {
      watchAllSockets()
      interceptor.dispose()
      endWatching()
    }
  }

  stop(): void {
    this.#stop?.()
    this.#stop = undefined
  }
}

/** What nobody takes is performed when all were asked; nobody else is asked about a bypassed request. */
async function perform({ headers }: Request, controller: { passthrough(): Promise<void> }): Promise<void> {
  if (!isBypassed(headers)) return
  removeBypassMark(headers)
  await controller.passthrough()
}

function couldAnswer({ method, url }: Request, { layers, baseUrl }: Network): boolean {
  return layers.couldAnswer({ method, url: new URL(url), baseUrl })
}

/**
 * A response whose body says where it ends, as that of a server does: one of a known length by itself, no body by its
 * length, and a stream by its chunks. Without that, a client waits as long as the connection stays open, or takes what
 * breaks off for the whole.
 *
 * @see https://www.rfc-editor.org/rfc/rfc9112#section-6.3
 */
function withFraming(response: Response, { method }: Request): Response {
  const { status, statusText, body } = response
  const isBodiless = method === 'HEAD' || status === 204 || status === 304
  if (isBodiless || response.headers.has('content-length') || response.headers.has('transfer-encoding')) return response
  if (body === null && status !== 205) return response
  const headers = new Headers(response.headers)
  if (body === null) headers.set('content-length', '0')
  else headers.set('transfer-encoding', 'chunked')
  return new Response(body, { status, statusText, headers })
}
