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

  for (const [name, descriptor] of membersOf(native.prototype)) {
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

/** The methods of `EventTarget`, which the app's object has. */
const ofEventTarget = ['constructor', 'dispatchEvent', 'addEventListener', 'removeEventListener']

/** The members of the platform's interface, including those that other code has added. */
function membersOf(prototype: object): Map<string, PropertyDescriptor> {
  const owners: object[] = []
  for (let each: object | null = prototype; each; each = Object.getPrototypeOf(each) as object | null) owners.push(each)
  // In happy-dom, the class above is not the global `EventTarget`. Other code may override its methods in classes below it.
  const last = owners.findLastIndex((owner) => Object.hasOwn(owner, 'dispatchEvent'))
  const members = new Map<string, PropertyDescriptor>()
  // A class may have all methods itself, or none of them. Then only the members of all objects are left out.
  for (const owner of owners.slice(0, last > 0 ? last : -1)) {
    for (const [name, descriptor] of Object.entries(Object.getOwnPropertyDescriptors(owner))) {
      if (!ofEventTarget.includes(name) && !members.has(name)) members.set(name, descriptor)
    }
  }
  return members
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
