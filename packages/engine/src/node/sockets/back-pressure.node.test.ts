import { once } from 'node:events'
import { createServer, get, request, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable, type Writable } from 'node:stream'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

import { Agent, request as undiciRequest } from 'undici'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'

import { http, HttpResponse, passthrough } from '../../index.ts'
import { setupServer } from '../setup-server.ts'

const chunk = Buffer.alloc(64 * 1024)
/** Chunks, 128 MB of them: more than the sockets of the operating system hold. */
const tooMany = 2000
/** Chunks that a mocked exchange may hold in its queues. */
const few = 20

/** Writes whenever the other side accepts more. Returns the number of written chunks. */
function flood(target: Writable): () => number {
  let written = 0
  const write = (): void => {
    while (written < tooMany && !target.destroyed) {
      written += 1
      if (!target.write(chunk)) break
    }
  }
  target.on('error', () => {})
  target.on('drain', write)
  write()
  return () => written
}

/** Waits until the count no longer grows, and returns it. */
async function untilQuiet(count: () => number): Promise<number> {
  let before = -1
  while (count() !== before) {
    before = count()
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  return before
}

let floods: (() => number)[] = []
const real = createServer((incoming, outgoing) => {
  // An upload stays unread.
  if (incoming.url === '/download') floods.push(flood(outgoing))
})
real.on('upgrade', (_incoming, socket: Writable) => {
  socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: odd\r\n\r\n')
  floods.push(flood(socket))
})

const server = setupServer()
let collectGarbage: () => void
let origin = ''

beforeAll(async () => {
  setFlagsFromString('--expose-gc')
  collectGarbage = runInNewContext('gc') as () => void
  await once(real.listen(0, '127.0.0.1'), 'listening')
  origin = `http://127.0.0.1:${(real.address() as AddressInfo).port}`
  server.listen({ onUnhandledRequest: 'error' })
})
afterEach(() => {
  server.resetHandlers()
  real.closeAllConnections()
  floods = []
})
afterAll(() => {
  server.close()
  real.close()
})

describe('undici sends an upload only when the resolver reads it', () => {
  async function upload(read: (body: ReadableStream<Uint8Array>) => Promise<void>): Promise<number> {
    let pulls = 0
    async function* produce(): AsyncGenerator<Buffer> {
      while (pulls < tooMany) {
        pulls += 1
        yield chunk
        await new Promise(setImmediate)
      }
    }
    let count = 0
    server.use(
      http.post(`${origin}/upload`, async ({ request: { body } }) => {
        if (body) await read(body)
        count = await untilQuiet(() => pulls)
        return new HttpResponse(null)
      }),
    )
    const dispatcher = new Agent()
    const url = `${origin}/upload`
    // The rest of the upload is not sent.
    const sending = undiciRequest(url, { method: 'POST', body: Readable.from(produce()), dispatcher })
    await sending.then(({ body }) => body.dump())
    await dispatcher.destroy()
    return count
  }

  test('a resolver that reads nothing', async () => {
    expect(await upload(async () => {})).toBeLessThan(few)
  })

  test('a resolver that reads fifty chunks', async () => {
    const count = await upload(async (body) => {
      const reader = body.getReader()
      for (let read = 0; read < 50 * chunk.length;) read += (await reader.read()).value?.length ?? Infinity
    })
    expect(count).toBeGreaterThanOrEqual(50)
    expect(count).toBeLessThan(50 + few)
  })
})

/** The bytes of buffers that are in use. Finalizers need some turns of the event loop. */
async function bytesInUse(): Promise<number> {
  for (let turn = 0; turn < 5; turn += 1) {
    collectGarbage()
    await new Promise(setImmediate)
  }
  return process.memoryUsage().arrayBuffers
}

/** Reads 64 MB of a download. Returns the maximum of additional bytes in use. */
async function growthOf(message: IncomingMessage): Promise<number> {
  const before = await bytesInUse()
  let growth = 0
  let read = 0
  for await (const piece of message.iterator({ destroyOnReturn: false })) {
    const isNext = Math.floor((read + (piece as Buffer).length) / 8_000_000) > Math.floor(read / 8_000_000)
    read += (piece as Buffer).length
    if (isNext) growth = Math.max(growth, (await bytesInUse()) - before)
    if (read > 64_000_000) break
  }
  return growth
}

test(
  'a listener that does not read its copy of a passthrough response does not fill memory',
  { timeout: 60_000 },
  async () => {
    let copies = 0
    server.use(http.get('*', () => passthrough()))
    server.events.on('response:bypass', () => {
      copies += 1
    })
    const [message] = (await once(get(`${origin}/download`), 'response')) as [IncomingMessage]
    expect(await growthOf(message)).toBeLessThan(24_000_000)
    expect(copies).toBe(1)
    server.events.removeAllListeners()
    message.destroy()
  },
)

describe('a passthrough request is as fast as the slower side', () => {
  test('a download by http that is not read', async () => {
    server.use(http.get('*', () => passthrough()))
    const [message] = (await once(get(`${origin}/download`), 'response')) as [IncomingMessage]
    expect(await untilQuiet(() => floods[0]?.() ?? 0)).toBeLessThan(tooMany)
    message.destroy()
  })

  test('a download by undici that is not read', async () => {
    server.use(http.get('*', () => passthrough()))
    const { body } = await undiciRequest(`${origin}/download`)
    expect(await untilQuiet(() => floods[0]?.() ?? 0)).toBeLessThan(tooMany)
    body.on('error', () => {}).destroy()
  })

  test.each(['before', 'after'])(
    'an upload by http that the server does not read, %s a resolver has read a part of it',
    async (when) => {
      server.use(
        http.post('*', async ({ request: { body } }) => {
          if (when === 'after') await body?.getReader().read()
          return passthrough()
        }),
      )
      const message = request(`${origin}/upload`, { method: 'POST' })
      expect(await untilQuiet(flood(message))).toBeLessThan(tooMany)
      message.destroy()
    },
  )

  test('another protocol after an upgrade, in both directions', async () => {
    server.use(http.get('*', () => passthrough()))
    const message = request(`${origin}/upgrade`, { headers: { Connection: 'Upgrade', Upgrade: 'odd' } })
    message.end()
    const [, socket] = (await once(message, 'upgrade')) as [IncomingMessage, Writable]
    expect(await untilQuiet(() => floods[0]?.() ?? 0)).toBeLessThan(tooMany)
    expect(await untilQuiet(flood(socket))).toBeLessThan(tooMany)
    socket.destroy()
  })
})
