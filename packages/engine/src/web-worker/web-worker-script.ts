/**
 * The first script of a web worker, which a build tool puts before the app's own code. It is compiled to one script
 * without dependencies, which runs as a module and as a classic script.
 */
import { createReplacement } from '../ws/web-socket-class.ts'
import { connectStream, createUnconnected, type WebSocketStreamArgs } from '../ws/web-socket-stream.ts'
import { openInWebWorker } from './open-in-web-worker.ts'

interface WebWorkerGlobal {
  WebSocket?: typeof WebSocket
  /** Only in Chromium. */
  WebSocketStream?: new (...args: WebSocketStreamArgs) => object
  WorkerGlobalScope?: unknown
  ServiceWorkerGlobalScope?: unknown
}

const {
  WebSocket: native,
  WebSocketStream: nativeStream,
  WorkerGlobalScope,
  ServiceWorkerGlobalScope,
} = globalThis as WebWorkerGlobal
// Build tools also put it into service workers of the app, which no page answers, and into worker threads of Electron.
if (native && WorkerGlobalScope && !ServiceWorkerGlobalScope) {
  const value = createReplacement(native, (socket, args) => openInWebWorker(native, socket, args))
  Object.defineProperty(globalThis, 'WebSocket', { value, configurable: true, writable: true })
  if (nativeStream) replaceStreams(nativeStream, value)
}

function replaceStreams(stream: NonNullable<WebWorkerGlobal['WebSocketStream']>, socket: typeof WebSocket): void {
  const value = new Proxy(stream, {
    construct(target, given: unknown[], newTarget) {
      const args = given as unknown as WebSocketStreamArgs
      const create = (each: WebSocketStreamArgs): object => Reflect.construct(target, each, newTarget) as object
      const [url, { protocols, signal } = {}] = args
      if (given.length === 0 || signal?.aborted) return create(args)
      return connectStream(createUnconnected(create, args), new socket(url, protocols), signal)
    },
  })
  Object.defineProperty(globalThis, 'WebSocketStream', { value, configurable: true, writable: true })
}
