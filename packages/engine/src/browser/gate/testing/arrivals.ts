import type { PageScope } from '../gate.ts'

/** The Chrome DevTools Protocol, as Vitest's `cdp()` offers it. */
interface DevTools {
  send(method: string, params?: object): Promise<unknown>
  on(event: string, listener: (event: never) => void): unknown
  off(event: string, listener: (event: never) => void): unknown
}

/** A request that has left the page. */
interface Arrival {
  readonly method: string
  /** The URL relative to the frame's: `'users?page=2'`. */
  readonly path: string
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/**
 * Answers and counts the requests that leave a frame. It runs in the browser, so that no script of the page can
 * intercept them first.
 */
export interface ArrivalServer {
  /** The requests of the last frame. */
  readonly arrivals: readonly Arrival[]
  /** The same requests as text: `'GET users'`. */
  readonly lines: readonly string[]
  /** The WebSockets that the last frame has opened: `'chat'`. */
  readonly sockets: readonly string[]
  /** Returns a URL for a WebSocket of the last frame. No server listens there, so the connection fails. */
  socketUrl(name: string): string
  /**
   * Opens a frame in the test's page, with a separate directory. Requests to relative URLs are answered and counted.
   */
  openFrame(): Promise<PageScope>
  /**
   * Resolves when all requests that were made until now have left this page: makes one more request of each kind, and
   * waits for these.
   */
  settle(): Promise<void>
  close(): Promise<void>
}

interface PausedRequest {
  requestId: string
  request: { method: string; url: string; headers: Record<string, string>; postData?: string }
}

/** @param devTools the result of `cdp()` of `vitest/browser` */
export async function startArrivalServer(devTools: object): Promise<ArrivalServer> {
  const session = devTools as DevTools
  const markers = new Map<string, () => void>()
  const frames: HTMLIFrameElement[] = []
  let arrivals: Arrival[] = []
  let sockets: string[] = []
  let directory = ''
  let count = 0

  const onRequest = ({ requestId, request }: PausedRequest): void => {
    const { href } = new URL(request.url)
    markers.get(href)?.()
    const path = href.slice(directory.length)
    const headers = Object.fromEntries(
      Object.entries(request.headers).map(([name, value]) => [name.toLowerCase(), value]),
    )
    const arrival = { method: request.method, path, headers, body: request.postData ?? '' }
    if (href.startsWith(directory) && path !== '') arrivals.push(arrival)
    const [type, body] = answer(arrival)
    const responseHeaders = Object.entries({ 'Content-Type': type, 'Cache-Control': 'no-store', 'X-Arrived': path })
    const answered = session.send('Fetch.fulfillRequest', {
      requestId,
      responseCode: path.startsWith('missing') ? 404 : 200,
      responseHeaders: responseHeaders.map(([name, value]) => ({ name, value })),
      body: btoa(body),
    })
    // The frame that made the request may be removed.
    answered.catch(() => {})
  }
  const onSocket = ({ url }: { url: string }): void => {
    markers.get(url)?.()
    const prefix = socketUrl('')
    if (url.startsWith(prefix)) sockets.push(url.slice(prefix.length))
  }
  const socketUrl = (name: string): string => `ws://localhost:1${new URL(directory).pathname}${name}`
  session.on('Fetch.requestPaused', onRequest)
  session.on('Network.webSocketCreated', onSocket)
  await session.send('Network.enable')
  await session.send('Fetch.enable', { patterns: [{ urlPattern: '*/arrivals/*' }] })

  return {
    socketUrl,
    get sockets() {
      return sockets
    },
    get arrivals() {
      return arrivals
    },
    get lines() {
      return arrivals.map(({ method, path }) => `${method} ${path}`)
    },
    async openFrame() {
      arrivals = []
      sockets = []
      directory = new URL(`/arrivals/${(count += 1)}/`, location.href).href
      const frame = document.createElement('iframe')
      frames.push(frame)
      frame.src = directory
      await new Promise((resolve) => {
        frame.addEventListener('load', resolve)
        document.body.append(frame)
      })
      return frame.contentWindow as PageScope
    },
    async settle() {
      // Browsers request images and media a microtask later, and EventSources a task later.
      await new Promise((resolve) => setTimeout(resolve))
      count += 1
      const marker = (name: string, base: string): string => new URL(`/arrivals/${count}-${name}`, base).href
      const urls = {
        socket: marker('socket', 'ws://localhost:1'),
        beacon: marker('beacon', location.href),
        fetch: marker('fetch', location.href),
        image: marker('image', location.href),
        stream: marker('stream', location.href),
      }
      const arrived = Object.values(urls).map((url) => new Promise<void>((resolve) => markers.set(url, resolve)))
      const socket = new WebSocket(urls.socket)
      const stream = new EventSource(urls.stream)
      new Image().src = urls.image
      navigator.sendBeacon(urls.beacon)
      await Promise.all([...arrived, fetch(urls.fetch)])
      socket.close()
      stream.close()
    },
    async close() {
      for (const frame of frames) frame.remove()
      await session.send('Fetch.disable')
      await session.send('Network.disable')
      session.off('Fetch.requestPaused', onRequest)
      session.off('Network.webSocketCreated', onSocket)
    },
  }
}

const image = '<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>'
const stream = 'retry: 100000000\n\nid: 7\ndata: hello\n\nevent: news\ndata: late\n\n'

function answer({ method, path, headers, body }: Arrival): [type: string, body: string] {
  if (path === '') return ['text/html', '<!doctype html><title>frame</title><body></body>']
  if (headers['accept']?.startsWith('image/')) return ['image/svg+xml', image]
  if (headers['accept'] === 'text/event-stream') return ['text/event-stream', stream]
  return ['application/json', JSON.stringify({ method, path, body })]
}
