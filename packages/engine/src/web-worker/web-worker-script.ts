/**
 * The first script of a web worker, which a build tool puts before the app's own code. It is compiled to one script
 * without dependencies, which runs as a module and as a classic script.
 */
import { createReplacement } from '../ws/web-socket-class.ts'
import { openInWebWorker } from './open-in-web-worker.ts'

interface WebWorkerGlobal {
  WebSocket?: typeof WebSocket
  WorkerGlobalScope?: unknown
  ServiceWorkerGlobalScope?: unknown
}

const { WebSocket: native, WorkerGlobalScope, ServiceWorkerGlobalScope } = globalThis as WebWorkerGlobal
// Build tools also put it into service workers of the app, which no page answers, and into worker threads of Electron.
if (native && WorkerGlobalScope && !ServiceWorkerGlobalScope) {
  const value = createReplacement(native, (socket, args) => openInWebWorker(native, socket, args))
  Object.defineProperty(globalThis, 'WebSocket', { value, configurable: true, writable: true })
}
