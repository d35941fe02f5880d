import http, { ClientRequest, type IncomingMessage, type ServerResponse } from 'node:http'
import net from 'node:net'
import type { Duplex } from 'node:stream'

import { breakOff, breakOffMalformed } from './break-off.ts'
import type { Connection } from './connection.ts'
import { hideFromDiagnostics } from './diagnostics.ts'

/** Creates a stream of Node's own class, because jsdom pages have no such global. Loads Node's module on first use. */
export function createStream(
  source: UnderlyingDefaultSource<Uint8Array<ArrayBuffer>>,
  strategy?: QueuingStrategy<Uint8Array<ArrayBuffer>>,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  const streams = process.getBuiltinModule('node:stream/web') as unknown as { ReadableStream: typeof ReadableStream }
  return new streams.ReadableStream(source, strategy)
}

type OnResponse = (response: Response) => void

export interface RealRequestOptions {
  readonly connection: Connection
  readonly incoming: IncomingMessage
  readonly outgoing: ServerResponse
  /** The rest of the request's body, if the message itself was already read. */
  readonly body: ReadableStream<Uint8Array> | undefined
  /** The client's headers: alternating names and values. */
  readonly rawHeaders: readonly string[]
  /** The listeners that get copies of the response. */
  readonly responseListeners: readonly OnResponse[]
  /** Whether the client has already received `100 Continue`. */
  isContinued: boolean
}

const agents = new WeakMap<Connection, http.Agent>()

/** Keeps one connection to the network for each connection of a client. */
class ConnectionAgent extends http.Agent {
  readonly #connection: Connection

  constructor(connection: Connection) {
    super({ keepAlive: true, maxSockets: 1 })
    this.#connection = connection
    hideFromDiagnostics(this)
    connection.socket.once('close', () => this.destroy())
  }

  override createConnection(): net.Socket {
    const socket = this.#connection.openReal()
    noteReal(socket)
    return socket as net.Socket
  }

  // Not every connection is a socket: one through a tunnel is a stream.
  override keepSocketAlive(socket: Duplex): boolean | void {
    return socket instanceof net.Socket ? super.keepSocketAlive(socket) : true
  }

  override reuseSocket(socket: Duplex, request: ClientRequest): void {
    if (socket instanceof net.Socket) super.reuseSocket(socket, request)
  }
}

function agentOf(connection: Connection): http.Agent {
  let agent = agents.get(connection)
  if (!agent) agents.set(connection, (agent = new ConnectionAgent(connection)))
  return agent
}

const realSockets = new WeakSet<object>()

/** Registers a connection to the network that sends requests for this process. */
export function noteReal(socket: object): void {
  realSockets.add(socket)
}

/** Returns whether a socket sends requests for this process, so that it must not be intercepted. */
export function isReal(socket: object): boolean {
  return realSockets.has(socket)
}

/** Sends the request of a client to the network, and forwards the response. */
export function sendReal(options: RealRequestOptions): void {
  const { connection, incoming, outgoing, rawHeaders } = options
  // Tools that trace requests replace http.request(), and would see the client's request a second time.
  const real = new ClientRequest({
    method: incoming.method,
    path: incoming.url,
    headers: rawHeaders as string[] & http.OutgoingHttpHeaders,
    agent: agentOf(connection),
    setHost: false,
    insecureHTTPParser: true,
    maxHeaderSize: 1024 * 1024,
  })
  real.on('response', (message) => forwardResponse(message, options))
  real.on('information', (information) => forwardInformation(information, options))
  real.on('upgrade', (message: IncomingMessage, socket: Duplex, head: Buffer) => {
    connection.switchTo(socket, Buffer.concat([headOf(message), head]))
  })
  real.on('error', (error) => forwardError(error, options))
  outgoing.once('close', () => {
    if (!outgoing.writableFinished) real.destroy()
  })
  void sendBody(real, options)
}

/** An error with the members that Node adds to errors of its parser and of the system. */
interface RealError extends Error {
  readonly code?: string
  readonly syscall?: string
  readonly rawPacket?: Buffer
}

/** Ends the client's connection in the same way as the server's. The client creates its own error. */
function forwardError(error: RealError, { connection, outgoing }: RealRequestOptions): void {
  const { code = '', syscall, rawPacket } = error
  if (outgoing.headersSent && code.startsWith('HPE_')) void breakOffMalformed(outgoing)
  else if (code.startsWith('HPE_') && rawPacket) void breakOff(outgoing, rawPacket)
  // "socket hang up": the server ended the connection. An error of the system names its call.
  else if (code === 'ECONNRESET' && !syscall) void breakOff(outgoing)
  else connection.fail(error)
}

async function sendBody(real: ClientRequest, { connection, incoming, body }: RealRequestOptions): Promise<void> {
  const { headers } = incoming
  // The bytes to come; 0 if they are unknown.
  let rest = headers['transfer-encoding'] ? 0 : Number(headers['content-length'] ?? 0)
  if (!body) {
    incoming.on('error', () => {})
    // The trailers of a request are known when its body has arrived.
    incoming.once('end', () => addTrailers(real, incoming.rawTrailers))
    if (rest > 0) forwardSized(incoming, real, rest)
    else incoming.pipe(real)
    return
  }
  real.flushHeaders()
  const reader = body.getReader()
  try {
    for (;;) {
      const { value, done } = await reader.read()
      if (done || real.destroyed) break
      const isEnd = rest > 0 && rest === value.byteLength
      rest -= value.byteLength
      if (isEnd) real.end(value)
      else if (!real.write(value)) await drained(real)
    }
    addTrailers(real, incoming.rawTrailers)
    if (!real.writableEnded) real.end()
  } catch (error) {
    connection.fail(error)
    real.destroy()
  }
}

/**
 * Sends the last bytes together with the end. Otherwise, Node writes an empty chunk after them, which `@mswjs/interceptors`
 * counts as the beginning of the connection's next request: the head of that request loses its first line.
 */
function forwardSized(incoming: IncomingMessage, real: ClientRequest, length: number): void {
  let rest = length
  incoming.on('data', (chunk: Buffer) => {
    rest -= chunk.length
    if (rest === 0) {
      real.end(chunk)
      return
    }
    if (real.write(chunk)) return
    incoming.pause()
    void drained(real).then(() => incoming.resume())
  })
  incoming.once('end', () => {
    if (!real.writableEnded) real.end()
  })
}

function addTrailers(message: ClientRequest | ServerResponse, rawTrailers: readonly string[]): void {
  if (rawTrailers.length > 0 && message.chunkedEncoding) message.addTrailers(toPairs(rawTrailers))
}

/**
 * Returns whether a client that ended its side waits for this response only. Node forgets it when it writes the head
 * without the header `Connection`, and the connection would stay open.
 */
export function isLast(outgoing: ServerResponse): boolean {
  return Reflect.get(outgoing, '_last') === true
}

/** Waits until a stream takes more, or never will. */
export function drained(stream: ClientRequest | ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      stream.off('drain', end).off('close', end)
      resolve()
    }
    stream.on('drain', end).on('close', end)
  })
}

/**
 * Forwards an informational response with its own headers. The methods of Node's response write only some statuses, and
 * throw for hints that servers send, such as two `Link` headers.
 */
function forwardInformation(information: http.InformationEvent, options: RealRequestOptions): void {
  const { outgoing } = options
  if (outgoing.headersSent) return
  if (information.statusCode !== 100) {
    // A response that waits for an earlier one on its connection has no socket.
    outgoing.socket?.write(headOf(information))
    return
  }
  // Node closes the connection after a response to a client that expects this, unless its own method has written it.
  if (!options.isContinued) outgoing.writeContinue()
  options.isContinued = true
}

function forwardResponse(
  message: IncomingMessage,
  { outgoing, responseListeners, connection }: RealRequestOptions,
): void {
  const { statusCode = 200, statusMessage = '', rawHeaders } = message
  outgoing.sendDate = false
  // Node must not add headers: forward exactly the server's.
  for (const name of ['connection', 'transfer-encoding', 'content-length']) outgoing.removeHeader(name)
  if (message.httpVersionMajor === 1 && message.headers.connection === 'close') outgoing.shouldKeepAlive = false
  if (isLast(outgoing)) outgoing.shouldKeepAlive = false
  try {
    outgoing.writeHead(
      statusCode,
      statusMessage,
      message.headers['transfer-encoding'] ? rawHeaders : withoutTrailer(rawHeaders),
    )
  } catch (error) {
    connection.fail(error)
    message.destroy()
    return
  }
  outgoing.flushHeaders()
  connection.releaseRetired()
  message.on('aborted', () => void breakOff(outgoing))
  message.on('error', () => {})
  for (const listener of responseListeners) notify(listener, message)
  message.on('data', (chunk: Buffer) => {
    if (outgoing.write(chunk)) return
    message.pause()
    void drained(outgoing).then(() => message.resume())
  })
  message.on('end', () => {
    addTrailers(outgoing, message.rawTrailers)
    outgoing.end()
  })
}

/** Only a body in chunks can have trailers. Node refuses to announce them for another body. */
function withoutTrailer(rawHeaders: string[]): string[] {
  return toPairs(rawHeaders)
    .filter(([name]) => name.toLowerCase() !== 'trailer')
    .flat()
}

/** Ends the copies of responses that no code references. Otherwise an endless response fills memory. */
const unusedCopies = new FinalizationRegistry<() => void>((end) => end())

/** Passes a copy of the response to a listener. */
function notify(listener: OnResponse, message: IncomingMessage): void {
  // Each copy listens to the message. Node warns of more than ten listeners.
  message.setMaxListeners(0)
  const copy = toResponse(message)
  // Give each clone a separate stream. The native method splits one stream, which then never ends if one branch is not
  // read.
  Object.defineProperty(copy, 'clone', { value: () => toResponse(message), configurable: true })
  listener(copy)
  Reflect.deleteProperty(copy, 'clone')
}

/** Creates a response for listeners from a copy of the message. */
function toResponse(message: IncomingMessage): Response {
  const { statusCode = 200, statusMessage = '', rawHeaders } = message
  const isBodiless = [101, 204, 205, 304].includes(statusCode)
  let isUsed = true
  const stream = createStream({
    start(controller) {
      message.on('data', (chunk: Buffer) => {
        if (isUsed) controller.enqueue(new Uint8Array(chunk))
      })
      message.on('end', () => {
        if (isUsed) controller.close()
      })
      message.on('aborted', () => {
        if (isUsed) controller.error(new TypeError('terminated'))
      })
    },
    cancel() {
      isUsed = false
    },
  })
  const isStandard = statusCode >= 200 && statusCode <= 599
  const init = { status: isStandard ? statusCode : 200, statusText: statusMessage, headers: toPairs(rawHeaders) }
  const response = new Response(isBodiless ? null : stream, init)
  if (!isStandard) setStatus(response, statusCode)
  unusedCopies.register(response, () => {
    // Code may keep a reference only to the reader.
    if (!stream.locked) void stream.cancel()
  })
  return response
}

/** Sets a status that the constructor of `Response` refuses, such as 999. Copies have it, too. */
function setStatus(response: Response, status: number): Response {
  return Object.defineProperties(response, {
    status: { value: status },
    ok: { value: false },
    clone: { value: () => setStatus(Response.prototype.clone.call(response), status), configurable: true },
  })
}

/** Converts alternating names and values into pairs. */
export function toPairs(raw: readonly string[]): [name: string, value: string][] {
  return Array.from({ length: raw.length / 2 }, (_, index) => [raw[2 * index] ?? '', raw[2 * index + 1] ?? ''])
}

type Head = Pick<IncomingMessage, 'httpVersion' | 'statusCode' | 'statusMessage' | 'rawHeaders'>

function headOf({ httpVersion, statusCode, statusMessage, rawHeaders }: Head): Buffer {
  const lines = toPairs(rawHeaders).map(([name, value]) => `${name}: ${value}\r\n`)
  return Buffer.from(`HTTP/${httpVersion} ${statusCode} ${statusMessage}\r\n${lines.join('')}\r\n`, 'latin1')
}
