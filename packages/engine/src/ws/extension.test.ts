import { afterEach, expect, inject, test, vi } from 'vitest'

import type { Handler } from '../core/handlers/request-handler.ts'
import type { WebSocketData } from './message-data.ts'
import { intercept } from './testing/intercept.ts'
import { next, record } from './testing/record.ts'
import { ws } from './ws.ts'

const upstream = inject('upstream').replace('http', 'ws')

let stop = (): void => {}
afterEach(() => {
  stop()
  vi.restoreAllMocks()
})

function listen(...handlers: Handler[]): void {
  ;({ stop } = intercept(handlers))
}

interface Message {
  text: string
}

const json = {
  encode: (message: Message): string => JSON.stringify(message),
  decode: (data: WebSocketData): Message => JSON.parse(data as string) as Message,
}

test('handlers send and get messages, apps frames', async () => {
  const link = ws.link('wss://example.com/chat', { extensions: [json] })
  listen(
    link.addEventListener('connection', ({ client }) => {
      client.addEventListener('message', ({ data }) => client.send({ text: data.text.toUpperCase() }))
      link.broadcast({ text: 'hello' })
    }),
  )
  const { socket, events } = record('wss://example.com/chat')
  await next(socket, 'message')
  socket.send('{"text":"abc"}')
  await next(socket, 'message')
  expect(events).toEqual(['open 1', '{"text":"hello"}', '{"text":"ABC"}'])
  socket.close()
})

test('messages to the real server are encoded, too; forwarded frames stay unchanged', async () => {
  const link = ws.link(`${upstream}/echo`, { extensions: [json] })
  const received: Message[] = []
  listen(
    link.addEventListener('connection', ({ client, server }) => {
      server.connect()
      client.addEventListener('message', (event) => {
        if (event.data.text !== 'secret') return
        event.preventDefault()
        server.send({ text: 'redacted' })
      })
      server.addEventListener('message', ({ data }) => void received.push(data))
    }),
  )
  const { socket, events } = record(`${upstream}/echo`)
  await next(socket, 'open')
  socket.send('{"text":"secret"}')
  socket.send('{ "text": "as it is" }')
  await vi.waitFor(() => expect(events).toHaveLength(3))
  expect(events.slice(1)).toEqual(['{"text":"redacted"}', '{ "text": "as it is" }'])
  expect(received).toEqual([{ text: 'redacted' }, { text: 'as it is' }])
  socket.close()
})

/** A protocol with a greeting, pings, and several messages in one frame. */
class Protocol {
  *encode(messages: readonly string[]): Generator<string, void, undefined> {
    yield* messages
  }

  *decode(data: WebSocketData): Generator<string[], string[] | undefined, undefined> {
    if (data === 'ping') return undefined
    for (const part of (data as string).split('|')) yield [part]
    return ['end of the frame']
  }

  connect(): string {
    return 'greeting'
  }

  receive(data: WebSocketData): string | undefined {
    return data === 'ping' ? 'pong' : undefined
  }

  extend({ client }: { client: { id: string } }): { room: string } {
    return { room: `room of ${client.id}` }
  }
}

test('a protocol sends the first message, answers pings, and adds arguments for listeners', async () => {
  const received: unknown[] = []
  const link = ws.link('wss://example.com/chat', { extensions: [new Protocol()] })
  listen(
    link.addEventListener('connection', ({ client, room }) => {
      expect(room).toBe(`room of ${client.id}`)
      client.send(['one', 'two'])
      client.addEventListener('message', ({ data }) => received.push(data))
    }),
  )
  const { socket, events } = record('wss://example.com/chat')
  await vi.waitFor(() => expect(events).toEqual(['open 1', 'greeting', 'one', 'two']))
  socket.send('ping')
  socket.send('a|b')
  await vi.waitFor(() => expect(events.at(-1)).toBe('pong'))
  await vi.waitFor(() => expect(received).toEqual([['a'], ['b'], ['end of the frame']]))
  socket.close()
})

test('with a real server, the extension sends nothing', async () => {
  const link = ws.link(`${upstream}/echo`, { extensions: [new Protocol()] })
  listen(link.addEventListener('connection', ({ server }) => server.connect()))
  const { socket, events } = record(`${upstream}/echo`)
  await next(socket, 'open')
  socket.send('ping')
  await next(socket, 'message')
  expect(events).toEqual(['open 1', 'ping'])
  socket.close()
})

test('an extension that throws closes the connection', async () => {
  const print = vi.spyOn(console, 'error').mockImplementation(() => {})
  const link = ws.link('wss://example.com/chat', { extensions: [json] })
  listen(link.addEventListener('connection', () => {}))
  const { socket, events, closed } = record('wss://example.com/chat')
  await next(socket, 'open')
  socket.send('no JSON')
  await closed
  expect(events.slice(0, 2)).toEqual(['open 1', 'error'])
  expect(events.at(-1)).toMatch(/^close 1011 .*JSON/)
  expect(print).toHaveBeenCalledOnce()
})
