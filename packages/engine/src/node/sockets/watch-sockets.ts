import http from 'node:http'
import net from 'node:net'
import type { Duplex } from 'node:stream'
import { setImmediate } from 'node:timers'
import type tls from 'node:tls'

import type { Network } from '../../core/network/network.ts'
import { serve } from './answer-requests.ts'
import { recordContexts } from './call-contexts.ts'
import { attachFarEnd, farEndOf, type InternalSocket } from './client-socket.ts'
import { isUnwatched, originOf, readConnectArguments, type ConnectOptions } from './connect-options.ts'
import { Connection, connectionOf, openConnections } from './connection.ts'
import { isReal } from './real-request.ts'
import { announceSecure, isTlsSocket, prepareSecureSocket } from './secure-socket.ts'
import { takeOver } from './taken-socket.ts'

type Method = (this: never, ...args: never[]) => unknown

/** While a connection to the network is opened for a client, its sockets are left alone. */
let isOpening = false

/** Sockets that nobody has to see. */
const unwatched = new WeakSet<object>()

/**
 * Connects the clients of this process to this process, instead of the network.
 *
 * @returns what ends it: given the network that listened last
 */
export function watchSockets(): (network: Network) => void {
  const endings = [
    replace(net.Socket.prototype, 'connect', (below) => {
      const connect = watchConnect(below)
      let isTlsWatched = false
      return function (this: net.Socket, ...args: never[]) {
        // Loading TLS takes longer than all else that `listen()` does, and nothing needs it before the first connection.
        if (!isTlsWatched)
          endings.push(replace(process.getBuiltinModule('node:tls').TLSSocket.prototype, '_start', watchStart))
        isTlsWatched = true
        return Reflect.apply(connect, this as never, args)
      }
    }),
    replace(http.ClientRequest.prototype, 'onSocket', watchOnSocket),
    recordContexts((request, socket) => {
      const client = socket as net.Socket
      if (shouldTakeOver(client)) takeOver(client, String((request as { origin?: unknown }).origin))
      connectionOf(socket)?.noteWritten(request)
    }),
  ]
  return (network) => {
    for (const end of endings) end()
    for (const connection of openConnections) connection.retire(network)
  }
}

/** Puts a method in the place of another. Somebody else's on top of it stays, and reaches the one below. */
function replace(owner: object, name: string, create: (below: Method) => Method): () => void {
  const below = Reflect.get(owner, name) as Method | undefined
  if (typeof below !== 'function') return () => {}
  let isOn = true
  const watching = create(below)
  const method = function (this: never, ...args: never[]): unknown {
    return Reflect.apply(isOn ? watching : below, this, args)
  }
  Object.defineProperty(owner, name, { value: method, configurable: true, writable: true, enumerable: true })
  return () => {
    isOn = false
    if (Reflect.get(owner, name) === method) Reflect.set(owner, name, below)
  }
}

function watchConnect(below: Method): Method {
  return function (this: net.Socket, ...args: never[]): net.Socket {
    const call = readConnectArguments(args)
    if (!call || isOpening || farEndOf(this)) return Reflect.apply(below, this as never, args) as net.Socket
    if (isUnwatched(call.options)) {
      unwatched.add(this)
      return Reflect.apply(below, this as never, args) as net.Socket
    }
    if (call.listener) this.once('connect', call.listener)
    connectHere(this, call.options, below)
    return this
  }
}

function connectHere(socket: net.Socket, options: ConnectOptions, below: Method): void {
  const isSecure = isTlsSocket(socket)
  const connection = new Connection(socket, {
    origin: originOf(options, isSecure),
    openReal: () => openReal(options, isSecure, below),
    serve,
  })
  releaseHandle(socket)
  attachFarEnd(socket, connection)
  if (isSecure) prepareSecureSocket(socket, options)
  const internal = socket as InternalSocket
  internal.connecting = true
  internal._host = options.host ?? null
  setImmediate(() => {
    if (socket.destroyed) return
    setAddresses(internal, options)
    const { host, path } = options
    if (path == null && host && !net.isIP(host)) socket.emit('lookup', null, '127.0.0.1', 4, host)
    internal.connecting = false
    socket.emit('connect')
    socket.emit('ready')
    if (isSecure && !socket.destroyed) announceSecure(socket, options)
    if (socket.destroyed) return
    if (socket.readable && !socket.isPaused()) socket.read(0)
    connection.awaitFirstBytes()
  })
}

/** A TLS socket has a handle before it connects. */
function releaseHandle(socket: net.Socket): void {
  const internal = socket as InternalSocket & { _handle: { close(): void } | null; ssl?: unknown }
  const handle = internal._handle
  internal._handle = null
  if ('ssl' in internal) internal.ssl = null
  handle?.close()
}

function setAddresses(socket: InternalSocket, { host, port, path }: ConnectOptions): void {
  if (path != null) return
  const isIPv6 = net.isIPv6(host ?? '')
  const address = host && net.isIP(host) ? host : '127.0.0.1'
  const family = isIPv6 ? 'IPv6' : 'IPv4'
  socket._peername = { address, family, port: Number(port) }
  socket._sockname = {
    address: isIPv6 ? '::1' : '127.0.0.1',
    family,
    port: 49_152 + Math.floor(Math.random() * 16_384),
  }
}

function openReal(
  { signal: _signal, onread: _onread, ...options }: ConnectOptions & { signal?: unknown; onread?: unknown },
  isSecure: boolean,
  below: Method,
): net.Socket {
  const before = isOpening
  isOpening = true
  try {
    if (isSecure) {
      const tlsModule = process.getBuiltinModule('node:tls')
      return tlsModule.connect(options as tls.ConnectionOptions)
    }
    const socket = new net.Socket(options)
    return Reflect.apply(below, socket as never, [options] as never[]) as net.Socket
  } finally {
    isOpening = before
  }
}

/** TLS over a connection of a client that is not one of the network: through a tunnel of a proxy. */
function watchStart(below: Method): Method {
  return function (this: tls.TLSSocket): unknown {
    const parent = (this as unknown as InternalSocket)._parent
    const carrier = parent && connectionOf(parent)
    if (!parent || !carrier || carrier.isOther || isOpening) {
      // Node takes a socket without a handle for one that is not connected yet, and waits for its event.
      if (parent && carrier?.isOther && !parent.connecting) Reflect.set(this, 'connecting', false)
      return Reflect.apply(below, this as never, [])
    }
    secureHere(this, parent, carrier)
    return undefined
  }
}

function secureHere(socket: tls.TLSSocket, parent: net.Socket, carrier: Connection): void {
  const options = connectOptionsOf(socket)
  const openCarrier = carrier.openReal
  const connection = new Connection(socket, {
    origin: carrier.origin.replace(/^http:/, 'https:'),
    openReal: () => openOver(options, openCarrier()),
    serve,
  })
  carrier.becomeCarrier()
  const internal = socket as unknown as InternalSocket & { ssl?: unknown }
  internal._handle = null
  internal.ssl = null
  attachFarEnd(socket, connection)
  prepareSecureSocket(socket, options)
  socket.once('close', () => parent.destroy())
  setImmediate(() => {
    if (socket.destroyed) return
    internal.connecting = false
    announceSecure(socket, options)
    if (socket.destroyed) return
    if (socket.readable && !socket.isPaused()) socket.read(0)
    connection.awaitFirstBytes()
  })
}

function openOver({ socket: _socket, ...options }: ConnectOptions, carrier: Duplex): net.Socket {
  const before = isOpening
  isOpening = true
  try {
    return process.getBuiltinModule('node:tls').connect({ ...options, socket: carrier } as tls.ConnectionOptions)
  } finally {
    isOpening = before
  }
}

/** What `tls.connect` was called with. Node keeps it on the socket. */
function connectOptionsOf(socket: tls.TLSSocket): ConnectOptions {
  const key = Object.getOwnPropertySymbols(socket).find(({ description }) => description === 'connect-options')
  return ((key && Reflect.get(socket, key)) ?? {}) as ConnectOptions
}

/** A socket that a client of Node is about to use may be connected to the network: from before, or by a proxy. */
function watchOnSocket(below: Method): Method {
  return function (this: http.ClientRequest, socket: net.Socket | undefined, error?: Error): unknown {
    if (socket && !error && shouldTakeOver(socket)) takeOver(socket, originOfRequest(this, socket))
    return Reflect.apply(below, this as never, [socket, error] as never[])
  }
}

function shouldTakeOver(socket: net.Socket): boolean {
  if (!(socket instanceof net.Socket) || socket.destroyed || isReal(socket) || unwatched.has(socket)) return false
  if (isTlsSocket(socket) && socket.alpnProtocol === 'h2') return false
  const connection = connectionOf(socket)
  return connection ? connection.isOther : !farEndOf(socket)
}

function originOfRequest(request: http.ClientRequest, socket: net.Socket): string {
  const { protocol, host } = request
  return originOf({ protocol, host, port: socket.remotePort }, protocol === 'https:')
}
