import { afterEach, beforeEach, describe, expect, test } from 'vitest'

import { ws } from '../index.ts'
import { setupServer } from '../node/setup-server.ts'
import { inspect } from './inspect.ts'

const chat = ws.link('wss://chat.test/room')
const server = setupServer(
  chat.addEventListener('connection', ({ client }) => {
    client.send('welcome')
    client.addEventListener('message', ({ data }) => client.send(typeof data === 'string' ? `echo ${data}` : data))
  }),
)
const inspection = inspect(server)

beforeEach(() => server.listen())
afterEach(() => {
  server.close()
  inspection.clear()
})

async function connect(): Promise<{ socket: WebSocket; received: unknown[] }> {
  const socket = new WebSocket('wss://chat.test/room')
  const received: unknown[] = []
  socket.addEventListener('message', ({ data }) => received.push(data))
  await new Promise((resolve) => socket.addEventListener('open', resolve))
  return { socket, received }
}

describe('a WebSocket connection with a handler', () => {
  test('is logged with its messages until it closes', async () => {
    const { socket, received } = await connect()
    socket.send('hi')
    await expect.poll(() => received).toEqual(['welcome', 'echo hi'])
    const [connection] = inspection.snapshot().connections
    expect(connection).toMatchObject({
      url: 'wss://chat.test/room',
      handlers: ['WS wss://chat.test/room'],
      state: 'open',
      sent: 1,
      received: 2,
      closedAfter: null,
    })
    const id = connection?.id ?? ''
    expect(inspection.frames(id)).toMatchObject([
      { id: 1, direction: 'received', size: 7, text: 'welcome' },
      { id: 2, direction: 'sent', size: 2, text: 'hi' },
      { id: 3, direction: 'received', size: 7, text: 'echo hi' },
    ])
    socket.close(3000, 'enough')
    await expect
      .poll(() => inspection.snapshot().connections)
      .toMatchObject([{ id, state: 'closed', code: 3000, reason: 'enough', closedAfter: expect.any(Number) }])
  })

  test('gets a message that a developer sends in the panel', async () => {
    const { socket, received } = await connect()
    await expect.poll(() => received).toEqual(['welcome'])
    const id = inspection.snapshot().connections[0]?.id ?? ''
    inspection.send(id, 'by hand')
    await expect.poll(() => received).toEqual(['welcome', 'by hand'])
    expect(inspection.frames(id).at(-1)).toMatchObject({ direction: 'received', text: 'by hand' })
    socket.close()
    await expect.poll(() => inspection.snapshot().connections[0]?.state).toBe('closed')
    expect(() => inspection.send(id, 'too late')).toThrow('the connection is not open')
    expect(() => inspection.send('unknown', '')).toThrow('the connection is not open')
  })

  test('keeps the size and the first bytes of a binary message', async () => {
    const { socket } = await connect()
    const id = inspection.snapshot().connections[0]?.id ?? ''
    const sent = (): unknown => inspection.frames(id).findLast(({ direction }) => direction === 'sent')
    socket.send(Uint8Array.of(9, 0, 15, 255).subarray(1))
    await expect.poll(sent).toMatchObject({ text: null, size: 3, hex: '00 0f ff' })
    socket.send(new Blob([Uint8Array.of(1, 2)]))
    await expect.poll(sent).toMatchObject({ text: null, size: 2, hex: '01 02' })
    socket.send(new ArrayBuffer(100))
    await expect.poll(sent).toMatchObject({ text: null, size: 100, hex: `${'00 '.repeat(64)}…` })
    // The handler sends it back: the default type of a received message is a blob.
    const received = (): unknown => inspection.frames(id).findLast(({ direction }) => direction === 'received')
    await expect.poll(received).toMatchObject({ size: 100, hex: `${'00 '.repeat(64)}…` })
    socket.close()
  })

  test('keeps the last 200 messages', async () => {
    const { socket, received } = await connect()
    await expect.poll(() => received).toHaveLength(1)
    for (let count = 0; count < 201; count += 1) socket.send(new Uint8Array(count))
    await expect.poll(() => received).toHaveLength(202)
    const [connection] = inspection.snapshot().connections
    const frames = inspection.frames(connection?.id ?? '')
    expect([frames.length, connection?.sent, connection?.received]).toEqual([200, 201, 202])
    socket.close()
  })
})
