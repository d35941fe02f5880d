/**
 * The connection of a `WebSocketStream`, a WebSocket with streams of Chromium.
 *
 * @see https://github.com/ricea/websocketstream-explainer
 */
interface WebSocketConnection {
  readonly readable: ReadableStream<unknown>
  readonly writable: WritableStream<unknown>
  readonly extensions: string
  readonly protocol: string
}

interface WebSocketCloseInfo {
  readonly closeCode?: number | null | undefined
  readonly reason?: string | undefined
}

export type WebSocketStreamArgs = readonly [
  url: string | URL,
  options?: { readonly protocols?: string | string[]; readonly signal?: AbortSignal },
]

/**
 * The codes of connections that were closed, and closed without a code. The file of `close-code.ts` also has the code that opens connections, which
 * pages load later.
 */
const normal = 1000
const noCode = 1005

declare const WebSocketError: new (message: string) => DOMException & WebSocketCloseInfo

/**
 * Gives a `WebSocketStream` the connection of a WebSocket.
 *
 * @param stream an object of the platform that does not connect
 */
export function connectStream(stream: object, socket: WebSocket, signal: AbortSignal | undefined): object {
  const opened = Promise.withResolvers<WebSocketConnection>()
  const closed = Promise.withResolvers<WebSocketCloseInfo>()
  // As on the platform, an app may use only one of them.
  for (const { promise } of [opened, closed]) promise.catch(() => {})
  const listening = new AbortController()
  let isOpen = false
  let isRead = true
  let codeless: number | undefined
  let incoming: ReadableStreamDefaultController<unknown>
  let outgoing: WritableStreamDefaultController

  const close = (info?: WebSocketCloseInfo | null): void => {
    // As the platform converts a dictionary.
    if (info != null && Object(info) !== info) throw new TypeError('The value is not an object.')
    const { closeCode, reason } = info ?? {}
    if (closeCode != null || reason) {
      socket.close(closeCode ?? normal, reason)
      return
    }
    socket.close()
    // A mocked WebSocket reports 1000 then.
    codeless ??= noCode
  }
  const closeBy = async (reason: unknown): Promise<void> => {
    close(reason instanceof WebSocketError ? reason : {})
    await closed.promise
  }
  const cancel = (reason: unknown): Promise<void> => {
    isRead = false
    return closeBy(reason)
  }
  const readable = new ReadableStream<unknown>({ start: (given) => void (incoming = given), cancel })
  const writable = new WritableStream<unknown>({
    start: (given) => void (outgoing = given),
    write: (chunk) => socket.send(isBytes(chunk) ? chunk : String(chunk)),
    close: () => closeBy(undefined),
    abort: closeBy,
  })
  const end = ({ code, reason, wasClean }: CloseEvent): void => {
    if (isOpen && wasClean) {
      closed.resolve({ closeCode: code === normal ? (codeless ?? code) : code, reason })
      if (isRead) incoming.close()
      outgoing.error(new DOMException('Cannot write to a closed WebSocketStream.', 'InvalidStateError'))
      return
    }
    const error = new WebSocketError('WebSocket was not cleanly closed.')
    // The constructor refuses the codes of broken connections.
    Object.defineProperties(error, { closeCode: { value: code }, reason: { value: reason } })
    opened.reject(new WebSocketError('WebSocket closed before handshake complete.'))
    closed.reject(error)
    incoming.error(error)
    outgoing.error(error)
  }

  socket.binaryType = 'arraybuffer'
  const on = { signal: listening.signal }
  const onOpen = ({ extensions, protocol }: WebSocket): void => {
    isOpen = true
    opened.resolve({ readable, writable, extensions, protocol })
  }
  socket.addEventListener('open', () => onOpen(socket), on)
  socket.addEventListener('message', ({ data }) => void (isRead && incoming.enqueue(data)), on)
  socket.addEventListener('close', end, on)
  signal?.addEventListener('abort', () => {
    if (isOpen) return
    listening.abort()
    const error = new DOMException('WebSocket handshake was aborted', 'AbortError')
    opened.reject(error)
    closed.reject(error)
    socket.close()
  })
  return Object.defineProperties(stream, {
    url: { value: socket.url },
    opened: { value: opened.promise },
    closed: { value: closed.promise },
    close: { value: close },
  })
}

function isBytes(chunk: unknown): chunk is BufferSource {
  return chunk instanceof ArrayBuffer || ArrayBuffer.isView(chunk)
}

/**
 * Creates an object of the platform that does not connect. The platform checks the arguments.
 *
 * @param create calls the platform's constructor
 */
export function createUnconnected(
  create: (args: WebSocketStreamArgs) => object,
  [url, options]: WebSocketStreamArgs,
): object {
  // The platform throws for a value that is not an object.
  if (options != null && Object(options) !== options) return create([url, options])
  return create([url, { ...options, signal: AbortSignal.abort() }])
}
