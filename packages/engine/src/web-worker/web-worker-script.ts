/**
 * The first script of a web worker, which a build tool puts before the app's own code. It is compiled to one script
 * without dependencies, which runs as a module and as a classic script.
 */
import { createReplacement } from '../ws/web-socket-class.ts'
import { openInWebWorker } from './open-in-web-worker.ts'

const { WebSocket: native } = globalThis as { WebSocket?: typeof WebSocket }
if (native) {
  const value = createReplacement(native, (socket, args) => openInWebWorker(native, socket, args))
  Object.defineProperty(globalThis, 'WebSocket', { value, configurable: true, writable: true })
}
