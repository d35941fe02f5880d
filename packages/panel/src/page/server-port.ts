import type { InspectionPort } from '@understudy/engine/inspect'

import { askServer } from './dev-server.ts'

type Listener = (message: unknown) => void

/** How long it waits before it tries once more, in milliseconds. */
const pause = 1000

/** The wire to networks of the dev server's own process. It is there again when the server is. */
export function openServerPort(): InspectionPort {
  const listeners = new Set<Listener>()
  /** Nothing, while there is no connection. */
  let connection: string | undefined
  /** What was said last of all that the server has to know when it is there. */
  let greeting: unknown
  let turn: Promise<unknown> = Promise.resolve()

  function say(message: unknown): void {
    const body = JSON.stringify({ connection, message })
    // In their order, and the last of them also where the page goes.
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
        // The server is not there.
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
