import net from 'node:net'

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
    return socket
  }
  Reflect.set(prototype, 'connect', connect)
  return () => {
    if (Reflect.get(prototype, 'connect') === connect) Reflect.set(prototype, 'connect', connectWatched)
  }
}

/** `net.connect` and `tls.connect` hand on an options object, maybe as the first of a list. */
function isUnwatched([first]: unknown[]): boolean {
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
