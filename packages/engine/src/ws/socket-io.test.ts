import { decodePacket, encodePacket } from 'engine.io-parser'
import { afterEach, expect, test, vi } from 'vitest'

import type { WebSocketData } from './message-data.ts'
import { intercept } from './testing/intercept.ts'
import { ws } from './ws.ts'

interface Message {
  event: string
  args: unknown[]
}

/** The part of Socket.IO's protocol for apps without rooms, acknowledgements and binary messages. */
const socketIo = {
  encode({ event, args }: Message): string {
    return packet('message', `2${JSON.stringify([event, ...args])}`)
  },
  decode(data: WebSocketData): Message | undefined {
    const { type, data: text } = decodePacket(data, 'arraybuffer')
    if (type !== 'message' || typeof text !== 'string' || !text.startsWith('2')) return undefined
    const [event, ...args] = JSON.parse(text.slice(1)) as [string, ...unknown[]]
    return { event, args }
  },
  connect(): string {
    return packet(
      'open',
      JSON.stringify({ sid: '1', upgrades: [], pingInterval: 25_000, pingTimeout: 20_000, maxPayload: 1e6 }),
    )
  },
  receive(data: WebSocketData): string | undefined {
    const { type, data: text } = decodePacket(data, 'arraybuffer')
    return type === 'message' && text === '0' ? packet('message', '0{"sid":"1"}') : undefined
  },
}

function packet(type: 'open' | 'message', data: string): string {
  let encoded = ''
  encodePacket({ type, data }, true, (text) => {
    encoded = text as string
  })
  return encoded
}

let stop = (): void => {}
afterEach(() => stop())

test('the client of Socket.IO connects to a handler', async () => {
  const link = ws.link('wss://example.com', { extensions: [socketIo] })
  const received: Message[] = []
  ;({ stop } = intercept([
    link.addEventListener('connection', ({ client }) => {
      client.addEventListener('message', ({ data }) => {
        received.push(data)
        if (data.event === 'hello') client.send({ event: 'greeting', args: ['Ada', { age: 36 }] })
        if (data.event === 'bye') client.close()
      })
    }),
  ]))
  // It stores the global WebSocket when it is loaded.
  const { io, WebSocket: transport } = await import('socket.io-client')
  const socket = io('wss://example.com', { transports: [transport], reconnection: false })
  const greeted = vi.fn<(name: string, details: object) => void>()
  socket.on('greeting', greeted)
  await new Promise<void>((resolve, reject) => {
    socket.on('connect', () => resolve())
    socket.on('connect_error', reject)
  })
  expect(socket.id).toBe('1')
  socket.emit('hello', 'handler')
  await vi.waitFor(() => expect(greeted).toHaveBeenCalledExactlyOnceWith('Ada', { age: 36 }))
  const disconnected = new Promise((resolve) => socket.on('disconnect', resolve))
  socket.emit('bye')
  expect(await disconnected).toBe('transport close')
  expect(received).toEqual([
    { event: 'hello', args: ['handler'] },
    { event: 'bye', args: [] },
  ])
})
