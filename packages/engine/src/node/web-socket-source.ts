import type { Network } from '../core/network/network.ts'
import { openConnection } from '../ws/open-connection.ts'
import { createWebSocketClass } from '../ws/web-socket-class.ts'
import { resolveWebSocketUrl } from '../ws/web-socket-url.ts'
import { isListening, listeningNetworks } from './listening.ts'
import { performDecided } from './performing.ts'

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
  if (!native) return
  const NativeClass = readClass(native)
  if (!NativeClass) return
  // After close(), code that kept the class has the platform's connections again: no network listens.
  const replacement = createWebSocketClass(performingConnections(NativeClass), listeningNetworks, openConnection)
  Object.defineProperty(globalThis, 'WebSocket', {
    value: replacement,
    configurable: true,
    writable: true,
    enumerable: false,
  })
  below.set(replacement, native)
  replaced = [{ replacement, native }, ...replaced]
}

/** The class, with connections that are decided about when they reach a socket: no policy is applied a second time. */
function performingConnections(native: typeof WebSocket): typeof WebSocket {
  const performing = new Proxy(native, {
    construct(target, args: ConstructorParameters<typeof WebSocket>, newTarget) {
      const construct = (): object =>
        Reflect.construct(target, args, newTarget === performing ? target : newTarget) as object
      const url = resolveWebSocketUrl(args[0])
      if (!url) return construct()
      url.protocol = url.protocol === 'wss:' ? 'https:' : 'http:'
      return performDecided('GET', url, construct)
    },
  })
  return performing
}

/** The class that a global stands for. Deno has getters in the place of its globals. */
function readClass(global: PropertyDescriptor): typeof WebSocket | undefined {
  const value: unknown = global.get ? global.get.call(globalThis) : global.value
  return typeof value === 'function' ? (value as typeof WebSocket) : undefined
}

function restoreWebSocket(): void {
  // What somebody else put there meanwhile stays.
  for (const { replacement, native } of replaced) {
    if (globalThis.WebSocket === replacement) Object.defineProperty(globalThis, 'WebSocket', native)
  }
  replaced = []
}
