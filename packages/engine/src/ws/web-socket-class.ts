import type { Network } from '../core/network/network.ts'
import { webSocketEntries, type OpenConnection } from './web-socket-side.ts'

/**
 * Creates the replacement of the platform's `WebSocket`. For a connection that no handler takes, its constructor returns
 * an instance of the platform's class. For the others, its members delegate to a mocked socket.
 *
 * @param networksOf returns the networks that decide about a connection, in order; an empty list leaves the connection
 * to the platform
 * @param openUnhandled applies the unhandled policy if no network has a WebSocket handler. If a network has one, the
 * handler itself contains the code that opens the connection
 */
export function createWebSocketClass(
  native: typeof WebSocket,
  networksOf: (args: readonly unknown[]) => readonly Network[],
  openUnhandled: OpenConnection,
): typeof WebSocket {
  return createReplacement(native, (socket, args) => {
    const networks = networksOf(args).filter(isConcerned)
    if (networks.length === 0) return undefined
    const open = networks.flatMap(webSocketEntries)[0]?.side['~open'] ?? openUnhandled
    return open({ socket, args, native, networks })
  })
}

/**
 * Creates a replacement of the platform's `WebSocket`.
 *
 * @param open gets the object for the app, and returns the object to which its members delegate; `undefined` leaves the
 * call to the platform
 */
export function createReplacement(
  native: typeof WebSocket,
  open: (socket: EventTarget, args: readonly unknown[]) => object | undefined,
): typeof WebSocket {
  const standIns = new WeakMap<object, object>()

  class Interceptable extends native {
    constructor(...args: ConstructorParameters<typeof native>) {
      const socket = Reflect.construct(EventTarget, [], new.target) as Interceptable
      const standIn = (args.length as number) > 0 && open(socket, args)
      if (standIn) {
        standIns.set(socket, standIn)
        return socket
      }
      if (new.target === Interceptable) return new native(...args)
      super(...args)
    }
  }

  for (const [name, descriptor] of Object.entries(membersOf(native.prototype))) {
    // The app's object has these. Other code may override `dispatchEvent()`, and the class above is not always the global one.
    if (name in EventTarget.prototype) continue
    Object.defineProperty(Interceptable.prototype, name, redirect(name, descriptor, standIns))
  }
  // Objects of the platform's class, for connections that no handler takes, are instances of the replacement too.
  Object.defineProperty(Interceptable, Symbol.hasInstance, {
    value(this: unknown, value: unknown): boolean {
      if (this === Interceptable) return value instanceof native
      return Reflect.apply(Function.prototype[Symbol.hasInstance], this, [value])
    },
  })
  return Object.defineProperty(Interceptable, 'name', { value: native.name })
}

/** Returns whether a network has WebSocket handlers, or a policy for unhandled connections. */
export function isConcerned(network: Network): boolean {
  return webSocketEntries(network).length > 0 || (network.isConcerned && !network.unhandled.isSilent)
}

/** The members of an object and of its prototypes, including those that other code has added. */
function membersOf(owner: object | null): Record<string, PropertyDescriptor> {
  if (!owner) return {}
  return { ...membersOf(Object.getPrototypeOf(owner) as object | null), ...Object.getOwnPropertyDescriptors(owner) }
}

/** Returns a member that delegates to the mocked socket of an object, if it has one. */
function redirect(name: string, descriptor: PropertyDescriptor, standIns: WeakMap<object, object>): PropertyDescriptor {
  const redirected = { ...descriptor }
  for (const kind of ['value', 'get', 'set'] as const) {
    const original: unknown = descriptor[kind]
    if (typeof original !== 'function') continue
    redirected[kind] = function (this: object, ...args: unknown[]): unknown {
      const standIn = standIns.get(this)
      if (!standIn || !(name in standIn)) return Reflect.apply(original, this, args) as unknown
      if (kind === 'set') return Reflect.set(standIn, name, args[0])
      const member: unknown = Reflect.get(standIn, name)
      return kind === 'get' ? member : Reflect.apply(member as Callable, standIn, args)
    }
  }
  return redirected
}

type Callable = (...args: unknown[]) => unknown
