import { setImmediate } from 'node:timers'

import type { Network } from '../core/network/network.ts'
import type { NetworkHandle, Source } from '../core/source.ts'
import { openConnection } from '../ws/open-connection.ts'
import { replaceTaskQueue } from '../ws/queue-task.ts'
import { createWebSocketClass } from '../ws/web-socket-class.ts'
import { resolveWebSocketUrl } from '../ws/web-socket-url.ts'
import { sendDecided } from './decided-requests.ts'
import { findGlobal } from './find-global.ts'
import { isListening, listeningNetworks } from './listening.ts'

/** The source of the connections of this process's global `WebSocket`: Node's own, or that of jsdom. */
export class WebSocketSource implements Source {
  readonly name = 'WebSocket'
  #network: Network | undefined

  start({ '~network': network }: NetworkHandle): void {
    this.#network = network
    replaceTaskQueue(setImmediate)
    // All servers share one class, which asks them in a fixed order.
    if (!replaced.some(({ replacement }) => globalThis.WebSocket === replacement)) replaceWebSocket()
  }

  stop(): void {
    if (!isListening()) restoreWebSocket()
    this.#network?.endConnections()
  }
}

interface Replaced {
  readonly replacement: typeof WebSocket
  readonly native: PropertyDescriptor
}

/** The replacements of `WebSocket`. There is a second one if a test stubbed the first. */
let replaced: readonly Replaced[] = []

/** The property that each of our classes replaced. */
const below = new WeakMap<object, PropertyDescriptor>()

function replaceWebSocket(): void {
  // Jest defines Node's globals as getters, which are replaced when they are read.
  void Reflect.get(globalThis, 'WebSocket')
  let native = findGlobal('WebSocket')
  // A test library may have restored one of our classes from before close().
  for (let own = native && below.get(native.value as object); own; own = below.get(own.value as object)) native = own
  if (!native) return
  const NativeClass = readClass(native)
  if (!NativeClass) return
  // After close(), code that stored the class gets the platform's connections, because no network listens.
  const replacement = createWebSocketClass(decidedConnections(NativeClass), listeningNetworks, openConnection)
  const property = { value: replacement, configurable: true, writable: true, enumerable: false }
  // The sockets of a class that cannot be replaced are intercepted.
  if (!Reflect.defineProperty(globalThis, 'WebSocket', property)) return
  below.set(replacement, native)
  replaced = [{ replacement, native }, ...replaced]
}

/**
 * Returns the platform's class, for a connection of a client that does not use the global one.
 *
 * @param headers of the client. jsdom's class cannot send them
 */
export function realWebSocket(headers: Record<string, string>): typeof WebSocket {
  const last = replaced.at(-1)
  const native = (last && readClass(last.native)) ?? globalThis.WebSocket
  return new Proxy(native, {
    construct(_target, [url, protocols]: unknown[]) {
      const options = 'document' in globalThis ? protocols : { protocols, headers }
      return Reflect.construct(decidedConnections(native), [url, options]) as object
    },
  })
}

/** Returns the class with connections that the sockets do not decide about again: policies must apply only once. */
function decidedConnections(native: typeof WebSocket): typeof WebSocket {
  const replacement = new Proxy(native, {
    construct(target, args: ConstructorParameters<typeof WebSocket>, newTarget) {
      const construct = (): object =>
        Reflect.construct(target, args, newTarget === replacement ? target : newTarget) as object
      const url = resolveWebSocketUrl(args[0])
      if (!url) return construct()
      url.protocol = url.protocol === 'wss:' ? 'https:' : 'http:'
      return sendDecided({ method: 'GET', url }, construct)
    },
  })
  return replacement
}

/** Returns the value of a global. Deno defines its globals as getters. */
function readClass(global: PropertyDescriptor): typeof WebSocket | undefined {
  const value: unknown = global.get ? global.get.call(globalThis) : global.value
  return typeof value === 'function' ? (value as typeof WebSocket) : undefined
}

function restoreWebSocket(): void {
  // A replacement that other code has set since stays.
  for (const { replacement, native } of replaced) {
    if (globalThis.WebSocket === replacement) Object.defineProperty(globalThis, 'WebSocket', native)
  }
  replaced = []
}
