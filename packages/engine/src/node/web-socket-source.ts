import type { Network } from '../core/network/network.ts'
import { createWebSocketClass } from '../ws/web-socket-class.ts'
import { isListening, listeningNetworks } from './listening.ts'

/** Brings in the connections of this process's global `WebSocket`: Node's own, or that of jsdom. */
export class WebSocketSource {
  readonly #network: Network

  constructor(network: Network) {
    this.#network = network
  }

  start(): void {
    // Two servers share one class, which asks them in one order.
    if (!replaced.some(({ replacement }) => globalThis.WebSocket === replacement)) replaceWebSocket()
  }

  stop(): void {
    if (!isListening()) restoreWebSocket()
    this.#network.endConnections()
  }
}

interface Replaced {
  readonly replacement: typeof WebSocket
  readonly native: PropertyDescriptor
}

/** The classes in the place of `WebSocket`. There is a second where a test stubbed the first. */
let replaced: readonly Replaced[] = []

/** What each class of ours stood in the place of. */
const below = new WeakMap<object, PropertyDescriptor>()

function replaceWebSocket(): void {
  // Jest has getters in the place of Node's globals, until they are read.
  void Reflect.get(globalThis, 'WebSocket')
  let native = Object.getOwnPropertyDescriptor(globalThis, 'WebSocket')
  // A test library put back what it had found: a class of ours, from before close().
  for (let own = native && below.get(native.value as object); own; own = below.get(own.value as object)) native = own
  if (typeof native?.value !== 'function') return
  // After close(), code that kept the class has the platform's connections again: no network listens.
  const replacement = createWebSocketClass(native.value as typeof WebSocket, listeningNetworks)
  Object.defineProperty(globalThis, 'WebSocket', {
    value: replacement,
    configurable: true,
    writable: true,
    enumerable: false,
  })
  below.set(replacement, native)
  replaced = [{ replacement, native }, ...replaced]
}

function restoreWebSocket(): void {
  // What somebody else put there meanwhile stays.
  for (const { replacement, native } of replaced) {
    if (globalThis.WebSocket === replacement) Object.defineProperty(globalThis, 'WebSocket', native)
  }
  replaced = []
}
