import net from 'node:net'

import { rememberWatched } from './retired-sockets.ts'

type Connect = (this: net.Socket, ...args: unknown[]) => net.Socket

/** As Node has it, before anybody watches. */
const connectUnwatched = Reflect.get(net.Socket.prototype, 'connect') as Connect

/** An option of a connection that is to be left alone. */
export const unwatchedOption = 'understudyUnwatched'

/**
 * Lets connections that nobody has to see pass what is patched onto sockets by now.
 *
 * @returns what ends that; call it before those patches are taken away
 */
export function passUnwatchedSockets(): () => void {
  const { prototype } = net.Socket
  const connectWatched = Reflect.get(prototype, 'connect') as Connect
  const connect: Connect = function (...args) {
    if (isUnwatched(args)) return Reflect.apply(connectUnwatched, this, args)
    const socket = Reflect.apply(connectWatched, this, args)
    showWrites(socket)
    hideReaders(socket)
    rememberWatched(socket)
    return socket
  }
  Reflect.set(prototype, 'connect', connect)
  return () => {
    if (Reflect.get(prototype, 'connect') === connect) Reflect.set(prototype, 'connect', connectWatched)
  }
}

/**
 * Whether a connection is one that nobody has to see, by the arguments of `connect`: `net.connect` and `tls.connect`
 * hand on an options object, maybe as the first of a list.
 */
export function isUnwatched([first]: unknown[]): boolean {
  const options: unknown = Array.isArray(first) ? first[0] : first
  if (typeof options !== 'object' || options === null) return false
  const { ALPNProtocols: protocols } = options as { ALPNProtocols?: unknown }
  // A connection that speaks nothing but HTTP/2 carries no request that could be mocked.
  const isHttp2 = Array.isArray(protocols) && protocols.length === 1 && protocols[0] === 'h2'
  return isHttp2 || unwatchedOption in options
}

/**
 * HTTP/2 writes to a handle directly, where it may. A watched socket has none that leads anywhere until it is known
 * what it carries: HTTP/2 has to write to the socket, which then shows that it is to pass.
 */
function showWrites(socket: net.Socket): void {
  const handle: unknown = Reflect.get(socket, '_handle')
  if (typeof handle === 'object' && handle !== null) {
    Object.defineProperty(handle, 'isStreamBase', { value: false, configurable: true })
  }
}

const hiding = new WeakSet<net.Socket>()

/**
 * Whoever reads before anything is written is taken for one whose server speaks first, and passes. A client of HTTP does so
 * too, where it waits for the first bytes of a body: its reading is hidden.
 */
function hideReaders(socket: net.Socket): void {
  // A socket may be connected more than once.
  if (hiding.has(socket)) return
  hiding.add(socket)
  const emit = Reflect.get(socket, 'emit') as (this: net.Socket, event: string | symbol, ...args: unknown[]) => boolean
  const emitUnlessRead: typeof emit = function (event, ...args) {
    const isRead = event === 'newListener' && (args[0] === 'data' || args[0] === 'readable')
    if (isRead && isOfHttpClient(this)) return false
    return Reflect.apply(emit, this, [event, ...args])
  }
  Reflect.set(socket, 'emit', emitUnlessRead)
}

function isOfHttpClient(socket: object): boolean {
  // Node's own client, and undici.
  return (
    '_httpMessage' in socket || Object.getOwnPropertySymbols(socket).some(({ description }) => description === 'parser')
  )
}
