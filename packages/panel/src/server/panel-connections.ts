import { randomBytes } from 'node:crypto'

import type { ServerAnswer } from './connect-middleware.ts'

/**
 * The connections between panels and this process. Messages to a panel are lines of a response that does not end.
 * Messages of a panel are requests with the name of that response. This needs no WebSocket, which would depend on the
 * build tool.
 */
export class PanelConnections {
  readonly #channelName: string
  /** The listeners for the messages of each panel, by the names of their connections. */
  readonly #panels = new Map<string, (message: unknown) => void>()

  /** @param channelName the name of the `BroadcastChannel` on which networks of this process and its threads are shared */
  constructor(channelName: string) {
    this.#channelName = channelName
  }

  /** Opens a connection to a panel. The first line is the name of the connection. */
  open(response: ServerAnswer): void {
    const name = randomBytes(12).toString('base64url')
    const send = (message: unknown): void => {
      // An error here would be uncaught in a listener of the channel, and would end the process of the dev server.
      const line = toLine(message)
      if (line !== undefined) response.write(line)
    }
    // Otherwise, proxies and compression would buffer the first line.
    response.setHeader('Cache-Control', 'no-store, no-transform')
    response.setHeader('Content-Type', 'application/x-ndjson')
    response.setHeader('X-Accel-Buffering', 'no')
    response.writeHead(200)
    send(name)
    const channel = new BroadcastChannel(this.#channelName)
    channel.addEventListener('message', ({ data }: MessageEvent<unknown>) => send(data))
    this.#panels.set(name, (message) => channel.postMessage(message))
    response.on('close', () => {
      this.#panels.delete(name)
      channel.close()
    })
  }

  /**
   * Handles a message of a panel.
   *
   * @returns whether it is a valid message of an open connection
   */
  hear(data: unknown): boolean {
    const { connection, message } = (data ?? {}) as { connection?: unknown; message?: unknown }
    const tell = typeof connection === 'string' ? this.#panels.get(connection) : undefined
    tell?.(message)
    return tell !== undefined
  }
}

/** @returns `undefined` for a value that JSON cannot represent: a `BigInt`, a cycle */
function toLine(message: unknown): string | undefined {
  try {
    return `${JSON.stringify(message)}\n`
  } catch {
    return undefined
  }
}
