import { randomBytes } from 'node:crypto'

import { toInspectionPort } from '@understudy/engine/inspect'

import type { ServerAnswer } from './connect-middleware.ts'

/**
 * The wires between panels and this process: what a panel is told are the lines of a response that does not end, and
 * what it says are requests that name the response. A WebSocket would be the build tool's to give.
 */
export class PanelConnections {
  readonly #channelName: string
  /** What takes the messages of each panel, by the names that were given to them. */
  readonly #panels = new Map<string, (message: unknown) => void>()

  /** @param channelName the name of the `BroadcastChannel` on which networks of this process and its threads are shared */
  constructor(channelName: string) {
    this.#channelName = channelName
  }

  /** Begins to tell a panel. The first line is the name of its connection. */
  open(response: ServerAnswer): void {
    const name = randomBytes(12).toString('base64url')
    const send = (message: unknown): void => {
      // An error here would leave a listener of the channel, and end the process of the dev server.
      const line = toLine(message)
      if (line !== undefined) response.write(line)
    }
    // Proxies and compression would wait for more.
    response.setHeader('Cache-Control', 'no-store, no-transform')
    response.setHeader('Content-Type', 'application/x-ndjson')
    response.setHeader('X-Accel-Buffering', 'no')
    response.writeHead(200)
    send(name)
    const channel = new BroadcastChannel(this.#channelName)
    const networks = toInspectionPort(channel)
    networks.listen(send)
    this.#panels.set(name, (message) => networks.send(message))
    response.on('close', () => {
      this.#panels.delete(name)
      channel.close()
    })
  }

  /**
   * Takes what a panel says.
   *
   * @returns whether it is one, of a connection that is open
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
