import http from 'node:http'
import net from 'node:net'
import type { Duplex } from 'node:stream'
import { setImmediate } from 'node:timers'
import type tls from 'node:tls'

import type { Network } from '../../core/network/network.ts'
import { toError } from '../../core/network/thrown-error.ts'
import { listeningNetworks } from '../listening.ts'
import { AgentQueue } from './agent-queue.ts'
import { serve } from './answer-requests.ts'
import { recordContexts } from './call-contexts.ts'
import { attachFarEnd, farEndOf, type InternalSocket } from './client-socket.ts'
import {
  isUnwatched,
  originOf,
  readConnectArguments,
  selectProtocol,
  unwatchedOption,
  type ConnectOptions,
} from './connect-options.ts'
import { Connection, connectionOf, openConnections } from './connection.ts'
import { announceSocket, filterDiagnostics, hideFromDiagnostics } from './diagnostics.ts'
import { applyHttp2Policies } from './http2-policy.ts'
import { prepareCallbackReader } from './on-read.ts'
import { isOfOtherInterceptor } from './other-interceptors.ts'
import { isReal } from './real-request.ts'
import { announceSecure, isTlsSocket, prepareSecureSocket } from './secure-socket.ts'
import { takeOver } from './taken-socket.ts'

type Method = (this: never, ...args: never[]) => unknown

/**
 * Whether a connection to the network is being opened for a client. The next socket that connects is then not
 * intercepted.
 */
let isOpening = false

/** Sockets that are exempt from interception. */
const unwatched = new WeakSet<object>()

/**
 * Connects the clients of this process to this process, instead of the network.
 *
 * @returns a function that ends this. Its argument is the network that listened last
 */
export function watchSockets(): (network: Network) => void {
  const endings = [
    filterDiagnostics(),
    replace(net.Socket.prototype, 'connect', (below) => {
      const connect = watchConnect(below)
      let isTlsWatched = false
      return function (this: net.Socket, ...args: never[]) {
        // Load TLS later: it takes longer than everything else in `listen()`, and is not needed before the first
        // connection.
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

/** Replaces a method. If other code replaces it again later, that replacement stays and still calls the original. */
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
    if (unwatched.has(this) || isOfOtherInterceptor(this)) {
      unwatched.add(this)
      return Reflect.apply(below, this as never, args) as net.Socket
    }
    const call = readConnectArguments(args)
    if (isOpening) {
      hideFromDiagnostics(this)
      unwatched.add(this)
      // The function of the option `lookup` runs in this call, and may open other connections.
      isOpening = false
      return Reflect.apply(below, this as never, args) as net.Socket
    }
    if (!call || farEndOf(this)) return Reflect.apply(below, this as never, args) as net.Socket
    if (isUnwatched(call.options)) {
      unwatched.add(this)
      return Reflect.apply(below, this as never, args) as net.Socket
    }
    if (isTlsSocket(this) && selectProtocol(call.options) === 'h2') {
      unwatched.add(this)
      void openHttp2(this, originOf(call.options, true), () => Reflect.apply(below, this as never, args))
      return this
    }
    if (call.listener) this.once('connect', call.listener)
    connectHere(this, call.options, below)
    return this
  }
}

/**
 * Opens a connection that can carry only HTTP/2, if the policies for unhandled requests let it reach the network. It is
 * the client's own connection: the client reads the certificate of the server.
 */
async function openHttp2(socket: net.Socket, origin: string, connect: () => unknown): Promise<void> {
  // Otherwise, Node writes data of the client to a handle that is not connected yet.
  Reflect.set(socket, 'connecting', true)
  try {
    await applyHttp2Policies(origin, listeningNetworks())
    if (!socket.destroyed) connect()
  } catch (error) {
    socket.destroy(toError(error))
  }
}

function connectHere(socket: net.Socket, options: ConnectOptions, below: Method): void {
  const isSecure = isTlsSocket(socket)
  const connection = new Connection(socket, {
    origin: originOf(options, isSecure),
    openReal: () => openReal(options, isSecure, below),
    serve,
  })
  announceSocket(socket)
  releaseHandle(socket)
  attachFarEnd(socket, connection)
  prepareCallbackReader(socket)
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
  if (!isSecure) {
    const socket = new net.Socket(options)
    hideFromDiagnostics(socket)
    unwatched.add(socket)
    return Reflect.apply(below, socket as never, [options] as never[]) as net.Socket
  }
  const before = isOpening
  isOpening = true
  try {
    // Another interceptor may open a second connection with the same options, later.
    const unwatchedOptions = { ...options, [unwatchedOption]: true }
    return process.getBuiltinModule('node:tls').connect(unwatchedOptions as tls.ConnectionOptions)
  } finally {
    isOpening = before
  }
}

/** Handles TLS over a client's connection to this process, for example through the tunnel of a proxy. */
function watchStart(below: Method): Method {
  return function (this: tls.TLSSocket): unknown {
    const parent = (this as unknown as InternalSocket)._parent
    const outer = parent && connectionOf(parent)
    if (!parent || !outer || outer.isOther || isOpening) {
      // Node treats a socket without a handle as not connected yet, and waits for its event `connect`.
      if (parent && outer?.isOther && !parent.connecting) Reflect.set(this, 'connecting', false)
      return Reflect.apply(below, this as never, [])
    }
    secureHere(this, parent, outer)
    return undefined
  }
}

function secureHere(socket: tls.TLSSocket, parent: net.Socket, outer: Connection): void {
  const options = connectOptionsOf(socket)
  const openOuter = outer.openReal
  const connection = new Connection(socket, {
    origin: outer.origin.replace(/^http:/, 'https:'),
    openReal: () => openOver(options, openOuter()),
    serve,
  })
  outer.becomeOuter()
  const internal = socket as unknown as InternalSocket & { ssl?: unknown }
  internal._handle = null
  internal.ssl = null
  attachFarEnd(socket, connection)
  prepareSecureSocket(socket, options)
  socket.once('close', () => parent.destroy())
  setImmediate(() => {
    if (socket.destroyed) return
    // Node treats it as connecting, because its parent has no handle. Data of the client waits for the event `connect`.
    if (internal.connecting) {
      internal.connecting = false
      socket.emit('connect')
    }
    if (socket.destroyed) return
    announceSecure(socket, options)
    if (socket.destroyed) return
    if (socket.readable && !socket.isPaused()) socket.read(0)
    connection.awaitFirstBytes()
  })
}

function openOver({ socket: _socket, ...options }: ConnectOptions, outer: Duplex): net.Socket {
  const before = isOpening
  isOpening = true
  try {
    return process.getBuiltinModule('node:tls').connect({ ...options, socket: outer } as tls.ConnectionOptions)
  } finally {
    isOpening = before
  }
}

/** Returns the options of `tls.connect`, which Node stores on the socket. */
function connectOptionsOf(socket: tls.TLSSocket): ConnectOptions {
  const key = Object.getOwnPropertySymbols(socket).find(({ description }) => description === 'connect-options')
  return ((key && Reflect.get(socket, key)) ?? {}) as ConnectOptions
}

/**
 * Handles a socket that Node's HTTP client is about to use and that may be connected to the network: it was connected
 * before interception, or by a proxy.
 */
function watchOnSocket(below: Method): Method {
  return function (this: http.ClientRequest, socket: net.Socket | undefined, error?: Error): unknown {
    if (socket && !error && shouldTakeOver(socket)) takeOver(socket, originOfRequest(this, socket))
    const connection = socket && connectionOf(socket)
    const { agent } = this as { agent?: http.Agent | false }
    if (connection && agent) connection.queue ??= new AgentQueue(agent, connection.socket)
    return Reflect.apply(below, this as never, [socket, error] as never[])
  }
}

function shouldTakeOver(socket: net.Socket): boolean {
  if (!(socket instanceof net.Socket) || socket.destroyed || isReal(socket) || unwatched.has(socket)) return false
  if (isTlsSocket(socket) && socket.alpnProtocol === 'h2') return false
  const connection = connectionOf(socket)
  if (connection) return connection.isOther
  // Without a handle, it is not connected to the network: it belongs to another interceptor, such as MSW 2.
  return !farEndOf(socket) && (socket as unknown as InternalSocket)._handle !== null
}

function originOfRequest(request: http.ClientRequest, socket: net.Socket): string {
  const { protocol, host } = request
  return originOf({ protocol, host, port: socket.remotePort }, protocol === 'https:')
}
