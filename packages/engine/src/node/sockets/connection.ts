import net from 'node:net'
import type { Duplex } from 'node:stream'
import { setImmediate } from 'node:timers'

import type { Network } from '../../core/network/network.ts'
import { toError } from '../../core/network/thrown-error.ts'
import { listeningNetworks } from '../listening.ts'
import type { AgentQueue } from './agent-queue.ts'
import { captureContext, contextOf, type CallContext } from './call-contexts.ts'
import type { ClientEnd } from './client-end.ts'
import { farEndOf, isOfHttpClient, sendTo, type FarEnd, type InternalSocket } from './client-socket.ts'
import { readFirstBytes } from './first-bytes.ts'
import { applyHttp2Policies } from './http2-policy.ts'
import { Relay } from './relay.ts'
import { ServerEnd } from './server-end.ts'

/** Opens the connection to the network that a client wanted. */
export type OpenReal = () => Duplex

export interface ConnectionOptions {
  /** The scheme, host and port of the client's URL: `http://api.test:8080`. */
  readonly origin: string
  readonly openReal: OpenReal
  /** Serves a connection that carries HTTP. */
  readonly serve: (end: ServerEnd) => void
}

/**
 * `unclear` until the first bytes show the protocol. A connection with HTTP is served in this process, and never
 * becomes `other`. The bytes of an `other` connection are forwarded to the network.
 */
type Protocol = 'unclear' | 'http' | 'other'

/** The open connections of clients to this process. */
export const openConnections: Set<Connection> = new Set()

/** The far end of a client's connection. */
export class Connection implements FarEnd, ClientEnd {
  readonly socket: net.Socket
  bytesSent = 0
  bytesReceived = 0
  /** The number of requests that are being answered. */
  requests = 0
  /** Whether the connection closes when its current requests are answered. */
  isRetired = false
  /** The network that has stopped listening. It answers the requests that were made before. */
  lastNetwork: Network | undefined
  origin: string
  openReal: OpenReal
  /** The queue of a Node agent with requests for this connection. */
  queue: AgentQueue | undefined
  readonly #serve: (end: ServerEnd) => void
  #protocol: Protocol = 'unclear'
  #serverEnd: ServerEnd | undefined
  #relay: Relay | undefined
  /** The first bytes, if they do not show the protocol yet. */
  #held: Buffer | undefined
  /** Whether the server sent bytes before the client sent any. */
  #isAnswered = false
  #isEnded = false
  #hasSentEnd = false
  #isRef = true
  #context: CallContext = captureContext()
  readonly #writtenRequests: object[] = []
  #onDrain: (() => void) | undefined

  constructor(socket: net.Socket, { origin, openReal, serve }: ConnectionOptions) {
    this.socket = socket
    this.origin = origin
    this.openReal = openReal
    this.#serve = serve
    openConnections.add(this)
  }

  get isOfHttp(): boolean {
    return this.#protocol === 'http'
  }

  get isOther(): boolean {
    return this.#protocol === 'other'
  }

  // What the client does.

  receive(chunk: Buffer, callback: () => void): void {
    // An HTTP/2 server may send its settings before its client sends the preface.
    const isFirstAnswer = this.#isAnswered && this.#relay !== undefined
    this.#isAnswered = false
    this.bytesReceived += chunk.length
    if (!isOfHttpClient(this.socket)) this.#context = captureContext()
    if (this.#protocol === 'unclear') {
      const bytes = this.#held ? Buffer.concat([this.#held, chunk]) : chunk
      const protocol = isOfHttpClient(this.socket) ? 'http' : readFirstBytes(bytes)
      if (protocol === 'unclear') {
        this.#held = bytes
        callback()
        return
      }
      if (protocol === 'http2') {
        void this.#receiveHttp2(bytes, callback)
        return
      }
      this.#held = undefined
      if (protocol === 'http') this.becomeHttp()
      else this.#becomeOther()
      this.#deliver(bytes, callback)
      return
    }
    if (isFirstAnswer && readFirstBytes(chunk) === 'http2') void this.#receiveHttp2(chunk, callback)
    else this.#deliver(chunk, callback)
  }

  /** Handlers do not answer HTTP/2. The policies for unhandled requests decide whether it reaches the network. */
  async #receiveHttp2(bytes: Buffer, callback: () => void): Promise<void> {
    // There is no connection to the network yet.
    this.#held = bytes
    const networks = this.lastNetwork ? [this.lastNetwork] : undefined
    try {
      await this.takeContext()(() => applyHttp2Policies(this.origin, networks ?? listeningNetworks()))
      this.#held = undefined
      if (!this.socket.destroyed) this.#becomeOther()
      this.#deliver(bytes, callback)
    } catch (error) {
      callback()
      this.fail(error)
    }
  }

  #deliver(chunk: Buffer, callback: () => void): void {
    if (this.#relay) this.#relay.write(chunk, callback)
    else if (this.#serverEnd) this.#serverEnd.receive(chunk, callback)
    else callback()
  }

  receiveEnd(callback: () => void): void {
    this.#isEnded = true
    if (this.#protocol === 'unclear') {
      // A client that has ended its side may still read what the server sends.
      this.#becomeOther()
      if (this.#held) this.#relay?.write(this.#held, () => {})
      this.#held = undefined
    }
    this.#relay?.end()
    this.#serverEnd?.receiveEnd()
    callback()
  }

  resume(): void {
    const drain = this.#onDrain
    this.#onDrain = undefined
    drain?.()
  }

  closed(): void {
    openConnections.delete(this)
    this.#protocol = this.#protocol === 'unclear' ? 'other' : this.#protocol
    const drain = this.#onDrain
    this.#onDrain = undefined
    this.#serverEnd?.destroy()
    this.#relay?.destroy()
    drain?.()
  }

  setRef(isRef: boolean): void {
    this.#isRef = isRef
    this.#relay?.setRef(isRef)
  }

  // What the server does.

  send(chunk: Buffer, callback: () => void): void {
    if (this.socket.destroyed || this.#hasSentEnd) {
      callback()
      return
    }
    this.bytesSent += chunk.length
    if (sendTo(this.socket, chunk)) callback()
    else this.#onDrain = callback
  }

  sendEnd(by: object): void {
    if (this.socket.destroyed || this.#hasSentEnd) return
    if (by === this.#serverEnd || by === this.#relay) this.#end()
  }

  #end(): void {
    if (this.#hasSentEnd) return
    this.#hasSentEnd = true
    sendTo(this.socket, null)
  }

  fail(error: unknown): void {
    if (!this.socket.destroyed) this.socket.destroy(toError(error))
  }

  // What becomes of it.

  /**
   * Starts to answer requests of this connection in this process. Connections to the network serve only requests that
   * pass through.
   */
  becomeHttp(): void {
    if (this.#protocol === 'http') return
    this.#protocol = 'http'
    const relay = this.#relay
    this.#relay = undefined
    if (relay) {
      const { openReal } = this
      const kept = relay.release()
      // Close an unused connection to the network. It is opened again if it is needed.
      if (kept) this.openReal = () => (kept.destroyed ? openReal() : kept)
    }
    this.#startServing()
  }

  #startServing(): void {
    const end = new ServerEnd(this)
    this.#serverEnd = end
    this.#serve(end)
  }

  /** Forwards the bytes of the client to the network. */
  #becomeOther(): void {
    this.#protocol = 'other'
    this.#relay ??= this.#openRelay(this.openReal)
  }

  #openRelay(open: OpenReal): Relay {
    const relay = new Relay(this, open())
    if (!this.#isRef) relay.setRef(false)
    return relay
  }

  /** Opens the client's connection to the network if the client waits for the server to send first. */
  awaitFirstBytes(): void {
    setImmediate(() => {
      setImmediate(() => {
        if (this.#protocol !== 'unclear' || this.#held || this.#isEnded || this.socket.destroyed) return
        if (isOfHttpClient(this.socket) || this.#relay) return
        this.#relay = this.#openRelay(this.openReal)
      })
    })
  }

  hasSpoken(by: object): void {
    if (by !== this.#relay || this.#protocol !== 'unclear') return
    this.#protocol = 'other'
    this.#isAnswered = true
  }

  /** Connects this connection with one to the network, for a protocol other than HTTP. */
  switchTo(real: Duplex, head: Buffer): void {
    const end = this.#serverEnd
    this.#serverEnd = undefined
    end?.destroy()
    this.#relay = new Relay(this, real)
    if (head.length > 0) this.#relay.receive(head)
  }

  /** Starts a tunnel: the next bytes on this connection are meant for another origin. */
  startTunnel(origin: string, openReal: OpenReal): void {
    const end = this.#serverEnd
    this.#serverEnd = undefined
    end?.destroy()
    this.#protocol = 'unclear'
    this.origin = origin
    this.openReal = openReal
  }

  /** Marks this connection as the transport of another socket, because TLS starts on it. */
  becomeOuter(): void {
    this.#protocol = 'other'
    this.#relay?.destroy()
    this.#relay = undefined
  }

  /** Stores a request that undici is about to write. */
  noteWritten(request: object): void {
    this.#writtenRequests.push(request)
  }

  /** Returns the context of the call that made the next request, and removes it. */
  takeContext(): CallContext {
    const { _httpMessage: message } = this.socket as InternalSocket
    const request = this.#writtenRequests.shift() ?? message
    return (request && contextOf(request)) ?? this.#context
  }

  /** Ends the use of a retired connection by its agent, which otherwise gives it a request before it closes. */
  releaseRetired(): void {
    const { socket, queue } = this
    if (!this.isRetired || !queue || queue.isAwaited) return
    socket.emit('agentRemove')
    socket.once('free', () => socket.destroy())
  }

  /** Closes the connection now, or when its current requests are answered. */
  retire(network?: Network): void {
    const { socket } = this
    if (!this.isRetired) this.queue?.close(this.requests > 0)
    this.isRetired = true
    this.lastNetwork = network
    if (this.#protocol === 'other' || this.requests > 0 || this.#writtenRequests.length > 0) return
    if ((socket as InternalSocket)._httpMessage) {
      // An agent may use it for a waiting request.
      socket.once('free', () => this.retire(network))
      return
    }
    if (this.#protocol === 'unclear' && !isOfHttpClient(socket)) {
      // A client that is still connecting is about to send a request. Other connections are no longer mocked.
      if (!socket.connecting) this.lastNetwork = undefined
      return
    }
    // This event makes an agent remove the socket from its list at once, before `close`.
    socket.emit('agentRemove')
    if (socket.readableLength > 0) this.#end()
    else socket.destroy()
  }
}

export function connectionOf(socket: object): Connection | undefined {
  const end = farEndOf(socket)
  return end instanceof Connection ? end : undefined
}
