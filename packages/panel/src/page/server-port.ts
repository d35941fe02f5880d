import type { InspectionPort } from '@understudy/engine/inspect'

import { askServer } from './dev-server.ts'

type Listener = (message: unknown) => void

/** The pause before another attempt to connect, in milliseconds. */
const pause = 1000

/** Opens a port to the networks of the dev server's process. It reconnects when the server runs again. */
export function openServerPort(): InspectionPort {
  const listeners = new Set<Listener>()
  /** `undefined` while there is no connection. */
  let connection: string | undefined
  /** The last message that the server must get after a reconnection. */
  let greeting: unknown
  let turn: Promise<unknown> = Promise.resolve()

  function say(message: unknown): void {
    const body = JSON.stringify({ connection, message })
    // Send the messages in their order. `keepalive` sends the last one even when the page unloads.
    turn = turn.then(() => askServer('tell', body, { keepalive: true })).catch(() => {})
  }

  async function connect(): Promise<void> {
    const response = await askServer('connect')
    if (!response.body) return
    for await (const line of readLines(response.body)) {
      if (connection === undefined) {
        connection = JSON.parse(line) as string
        if (greeting !== undefined) say(greeting)
      } else {
        const message: unknown = JSON.parse(line)
        for (const listener of listeners) listener(message)
      }
    }
  }

  async function stayConnected(): Promise<never> {
    for (;;) {
      await connect().catch(() => {
        // The server does not run.
      })
      connection = undefined
      await new Promise((resolve) => setTimeout(resolve, pause))
    }
  }
  void stayConnected()

  return {
    send(message) {
      if ((message as { type?: unknown }).type === 'watch') greeting ??= message
      if (connection !== undefined) say(message)
    },
    listen(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}

async function* readLines(body: ReadableStream<Uint8Array>): AsyncGenerator<string, void, undefined> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let rest = ''
  for (;;) {
    const { value, done } = await reader.read()
    if (done) return
    const lines = (rest + decoder.decode(value, { stream: true })).split('\n')
    rest = lines.pop() ?? ''
    yield* lines
  }
}
