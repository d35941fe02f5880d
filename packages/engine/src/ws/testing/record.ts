/** The events of an app's socket, in order. */
export interface Recorded {
  socket: WebSocket
  /** `open <readyState>`, the data of messages, `error`, `close <code> <reason> <clean|unclean>`. */
  events: unknown[]
  /** Resolves when the socket is closed. */
  closed: Promise<void>
}

/** Opens a socket and records its events. */
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

/** Waits for the next event of a type. */
export function next<Type extends keyof WebSocketEventMap>(
  socket: WebSocket,
  type: Type,
): Promise<WebSocketEventMap[Type]> {
  return new Promise((resolve) => socket.addEventListener(type, resolve, { once: true }))
}
