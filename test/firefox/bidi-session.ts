import { once } from 'node:events'

import { WebSocket } from 'ws'

/** A session of WebDriver BiDi. */
export interface BidiSession {
  /** @throws with the browser's own message */
  call<Result>(method: string, params: object): Promise<Result>
  /** Calls a listener for each event of a name. Returns a function that removes the listener. */
  on<Params>(event: string, listener: (params: Params) => void): () => void
}

interface Message {
  readonly id?: number
  readonly result?: unknown
  readonly error?: string
  readonly message?: string
  readonly method?: string
  readonly params?: unknown
}

/** How long a call may take, in milliseconds: less than a test, and longer than any answer that a test waits for. */
const limit = 200_000

/**
 * Starts a session.
 *
 * @param address the address of the browser: `ws://127.0.0.1:43210`
 * @param events the events to which it subscribes, for all tabs
 * @param acceptInsecureCerts whether every certificate is accepted
 * @see https://w3c.github.io/webdriver-bidi/
 */
export async function startSession(
  address: string,
  events: readonly string[],
  acceptInsecureCerts: boolean,
): Promise<BidiSession> {
  const socket = new WebSocket(`${address}/session`)
  await once(socket, 'open')
  const calls = new Map<number, (answer: Message) => void>()
  const listeners = new Map<string, Set<(params: unknown) => void>>()
  socket.on('message', (data: Buffer) => {
    const message = JSON.parse(data.toString()) as Message
    if (message.id !== undefined) {
      calls.get(message.id)?.(message)
      calls.delete(message.id)
    } else for (const listener of listeners.get(message.method ?? '') ?? []) listener(message.params)
  })
  // A browser that ends does not answer calls.
  socket.on('close', () => {
    for (const answer of calls.values()) answer({ error: 'closed', message: 'the browser has ended' })
    calls.clear()
  })
  let lastId = 0
  const session: BidiSession = {
    async call<Result>(method: string, params: object): Promise<Result> {
      const id = (lastId += 1)
      const answered = new Promise<Message>((resolve) => {
        calls.set(id, resolve)
      })
      socket.send(JSON.stringify({ id, method, params }))
      // A test that ends by its own limit does not say which call it waits for.
      const timer = setTimeout(() => {
        const message = `it has not answered within ${limit / 1000} seconds. The call was ${JSON.stringify(params).slice(0, 500)}`
        calls.get(id)?.({ error: 'no answer', message })
        calls.delete(id)
      }, limit)
      const { result, error, message } = await answered
      clearTimeout(timer)
      if (error !== undefined) throw new Error(`Failed to call ${method} of Firefox: ${message}`)
      return result as Result
    },
    on<Params>(event: string, listener: (params: Params) => void) {
      const known = listeners.get(event) ?? new Set()
      listeners.set(event, known)
      known.add(listener as (params: unknown) => void)
      return () => known.delete(listener as (params: unknown) => void)
    },
  }
  await session.call('session.new', { capabilities: { alwaysMatch: { acceptInsecureCerts } } })
  await session.call('session.subscribe', { events })
  return session
}
