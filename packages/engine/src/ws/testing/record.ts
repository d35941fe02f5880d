/** What an app sees of its socket, in order. */
export interface Recorded {
  socket: WebSocket
  /** `open <readyState>`, messages as they are, `error`, `close <code> <reason> <clean|unclean>`. */
  events: unknown[]
  /** Ends when the socket is closed. */
  closed: Promise<void>
}

/** Connects, and records what comes of it. */
export function record(url: string | URL, protocols?: string | string[], binaryType?: BinaryType): Recorded {
  const socket = new WebSocket(url, protocols)
  if (binaryType) socket.binaryType = binaryType
  const events: unknown[] = []
  socket.addEventListener('open', () => events.push(`open ${socket.readyState}`))
  socket.addEventListener('message', ({ data }) => events.push(data))
  socket.addEventListener('error', () => events.push('error'))
  const closed = new Promise<void>((resolve) => {
    socket.addEventListener('close', ({ code, reason, wasClean }) => {
      events.push(`close ${code} ${reason} ${wasClean ? 'clean' : 'unclean'}`)
      resolve()
    })
  })
  return { socket, events, closed }
}

/** The next event of a type. */
export function next<Type extends keyof WebSocketEventMap>(
  socket: WebSocket,
  type: Type,
): Promise<WebSocketEventMap[Type]> {
  return new Promise((resolve) => socket.addEventListener(type, resolve, { once: true }))
}
