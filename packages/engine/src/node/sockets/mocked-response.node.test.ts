import { once } from 'node:events'
import { get, request, Agent, type IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'

import { Pool, request as undiciRequest } from 'undici'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'

import { http, HttpResponse } from '../../index.ts'
import { setupServer } from '../setup-server.ts'

const server = setupServer()

beforeAll(() => server.listen({ onUnhandledRequest: 'error' }))
afterEach(() => {
  server.resetHandlers()
  vi.restoreAllMocks()
})
afterAll(() => server.close())

async function open(url: string): Promise<IncomingMessage> {
  const [message] = (await once(get(url), 'response')) as [IncomingMessage]
  return message
}

test('a response of the platform’s class has the status text of a server', async () => {
  server.use(
    http.get('http://api.test/plain', () => new Response('a', { status: 404 })),
    http.get('http://api.test/own', () => new Response(null, { status: 404, statusText: 'Gone fishing' })),
    http.get('http://api.test/unregistered', () => new Response(null, { status: 299 })),
  )
  const messages = await Promise.all(['plain', 'own', 'unregistered'].map((path) => open(`http://api.test/${path}`)))
  expect(messages.map((message) => message.resume().statusMessage)).toEqual(['Not Found', 'Gone fishing', ''])
})

describe('a body whose stream does not end', () => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  afterAll(() => agent.destroy())
  const ask = async (path: string): Promise<string> => {
    const [message] = (await once(get(`http://api.test${path}`, { agent }), 'response')) as [IncomingMessage]
    return text(message)
  }

  test('does not keep the connection when the client has its whole length', async () => {
    const cancel = vi.fn<() => void>()
    let end = (): void => {}
    server.use(
      http.get('http://api.test/open', () => {
        const body = new ReadableStream({
          start(controller) {
            controller.enqueue(new Uint8Array([97, 98]))
            end = () => controller.close()
          },
          cancel,
        })
        return new HttpResponse(body, { headers: { 'Content-Length': '2' } })
      }),
    )
    expect(await ask('/open')).toBe('ab')
    expect(await ask('/open')).toBe('ab')
    // The handler may still end its stream.
    expect(end).not.toThrow()
    expect(cancel).not.toHaveBeenCalled()
  })

  test('fails no process when the rest of the stream cannot be cancelled', async () => {
    let send = (): void => {}
    const cancel = vi.fn<() => Promise<void>>(() => Promise.reject(new Error('no')))
    server.use(
      http.get('http://api.test/more', () => {
        const body = new ReadableStream({
          start(controller) {
            controller.enqueue(new Uint8Array([97, 98]))
            send = () => controller.enqueue(new Uint8Array([99]))
          },
          cancel,
        })
        return new HttpResponse(body, { headers: { 'Content-Length': '2' } })
      }),
    )
    const rejected = vi.fn<(reason: unknown) => void>()
    process.on('unhandledRejection', rejected)
    try {
      expect(await ask('/more')).toBe('ab')
      await new Promise((resolve) => {
        setTimeout(resolve, 20)
      })
      send()
      await vi.waitFor(() => expect(cancel).toHaveBeenCalledOnce())
      await new Promise((resolve) => {
        setTimeout(resolve, 20)
      })
      expect(rejected).not.toHaveBeenCalled()
    } finally {
      process.off('unhandledRejection', rejected)
    }
  })

  test('because fake timers replace queueMicrotask, does not keep the connection', async () => {
    server.use(http.get('http://api.test/json', () => HttpResponse.json({ name: 'Ada' })))
    vi.useFakeTimers({ toFake: ['queueMicrotask'] })
    try {
      expect(await ask('/json')).toBe('{"name":"Ada"}')
    } finally {
      vi.useRealTimers()
    }
    expect(await ask('/json')).toBe('{"name":"Ada"}')
  })
})

describe('a response that declares a wrong Content-Length', () => {
  test.each([
    ['too large', 500],
    ['too small', 2],
  ])('%s, is sent with the true one, and reported once', async (name, length) => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
    const url = `http://api.test/${encodeURIComponent(name)}`
    server.use(
      http.get('http://api.test/*', () => new HttpResponse('Grüße', { headers: { 'Content-Length': String(length) } })),
    )
    const message = await open(url)
    expect([message.headers['content-length'], await text(message)]).toEqual(['7', 'Grüße'])
    const { headers, body } = await undiciRequest(url)
    expect([headers['content-length'], await body.text()]).toEqual(['7', 'Grüße'])
    expect(warn).toHaveBeenCalledOnce()
    expect(warn.mock.calls[0]?.[0]).toContain(`declares a Content-Length of ${length}, but its body has 7 bytes`)
  })

  test('of a stream that ends early is an error for its reader', async () => {
    vi.spyOn(console, 'warn').mockImplementation(() => {})
    const { promise: read, resolve: startReading } = Promise.withResolvers<void>()
    server.use(
      http.get('http://api.test/stream', () => {
        const body = new ReadableStream({
          async start(controller) {
            controller.enqueue(new Uint8Array(3))
            await read
            controller.close()
          },
        })
        return new HttpResponse(body, { headers: { 'Content-Length': '10' } })
      }),
    )
    const message = await open('http://api.test/stream')
    const reading = text(message)
    // A reader that begins after the end gets another error, also from a real server.
    startReading()
    await expect(reading).rejects.toMatchObject({ code: 'ECONNRESET' })
  })
})

describe('a body that the client does not read is not produced', () => {
  const chunk = new Uint8Array(64 * 1024)

  function serveEndless(): () => number {
    let pulls = 0
    server.use(
      http.get('http://api.test/endless', () => {
        const pull = (controller: ReadableStreamDefaultController): void => {
          pulls += 1
          controller.enqueue(chunk)
        }
        return new HttpResponse(new ReadableStream({ pull }))
      }),
    )
    return () => pulls
  }

  /** Waits until the number of pulls no longer grows, and returns it. */
  async function untilQuiet(count: () => number): Promise<number> {
    let before = -1
    while (count() !== before) {
      before = count()
      await new Promise((resolve) => setTimeout(resolve, 50))
      if (before > 1000) break
    }
    return before
  }

  test('by http', async () => {
    const count = serveEndless()
    const message = await open('http://api.test/endless')
    expect(await untilQuiet(count)).toBeLessThan(20)
    await once(message, 'readable')
    const before = count()
    for (let read = 0; read < 50 * chunk.length;) {
      const piece = message.read() as Buffer | null
      if (piece) read += piece.length
      else await once(message, 'readable')
    }
    expect(count()).toBeGreaterThan(before + 30)
    message.destroy()
  })

  test('by undici', async () => {
    const count = serveEndless()
    const { body } = await undiciRequest('http://api.test/endless')
    expect(await untilQuiet(count)).toBeLessThan(20)
    body.on('error', () => {})
    body.destroy()
  })

  test('and an upload that a resolver does not read stops its client', async () => {
    let finish: (() => void) | undefined
    server.use(
      http.post('http://api.test/upload', async () => {
        await new Promise<void>((resolve) => (finish = resolve))
        return new HttpResponse(null)
      }),
    )
    const message = request('http://api.test/upload', { method: 'POST' })
    const response = once(message, 'response')
    let written = 0
    const write = (): void => {
      while (written < 1000 && message.write(chunk)) written += 1
    }
    message.on('drain', write)
    write()
    expect(await untilQuiet(() => written)).toBeLessThan(20)
    finish?.()
    await response
    message.destroy()
  })
})

test('each request of a pool has the boundary of its call', async () => {
  server.use(http.get('http://api.test/who', () => HttpResponse.text('initial')))
  const pool = new Pool('http://api.test', { connections: 1, pipelining: 4 })
  const ask = (name: string): Promise<string> =>
    server.boundary(async () => {
      server.use(http.get('http://api.test/who', () => HttpResponse.text(name)))
      await new Promise((resolve) => setImmediate(resolve))
      return (await pool.request({ path: '/who', method: 'GET' })).body.text()
    })()
  const names = Array.from({ length: 50 }, (_, index) => `caller ${index}`)
  expect(await Promise.all(names.map(ask))).toEqual(names)
  await pool.destroy()
})

test.each([true, false])('no handle and no connection remains (keepAlive: %s)', async (keepAlive) => {
  const { openConnections } = await import('./connection.ts')
  const before = process.getActiveResourcesInfo().filter((name) => /TCP|Pipe|TLS|GETADDR/.test(name)).length
  const agent = new Agent({ keepAlive })
  server.use(http.get('http://api.test/user', () => HttpResponse.json({ name: 'Ada' })))
  for (let turn = 0; turn < 500; turn += 1) {
    const [message] = (await once(get('http://api.test/user', { agent }), 'response')) as [IncomingMessage]
    await text(message)
  }
  await new Promise((resolve) => setImmediate(resolve))
  expect(openConnections.size).toBeLessThan(3)
  agent.destroy()
  await new Promise((resolve) => setImmediate(resolve))
  expect(process.getActiveResourcesInfo().filter((name) => /TCP|Pipe|TLS|GETADDR/.test(name)).length).toBe(before)
})

test('a request that the parser refuses fails for its client, with an explanation', async () => {
  const error = vi.spyOn(console, 'error').mockImplementation(() => {})
  const socket = connect(80, 'api.test')
  socket.write('POST / HTTP/1.1\r\nHost: api.test\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n')
  expect(await text(socket)).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/)
  expect(error.mock.calls[0]?.[0]).toMatch(/Failed to read a request to http:\/\/api\.test:80: Parse Error/)
})

describe('headers that Node refuses to send', () => {
  test.each([
    ['a text', () => HttpResponse.text('ok', { headers: { Trailer: 'Expires', 'X-A': 'b' } })],
    ['a stream', () => new HttpResponse(new Blob(['ok']).stream(), { headers: { Trailer: 'Expires', 'X-A': 'b' } })],
  ])('%s without the trailer that it announces is sent', async (_, create) => {
    server.use(http.get('http://api.test/trailer', create))
    const message = await open('http://api.test/trailer')
    expect([message.headers['x-a'], message.headers.trailer, await text(message)]).toEqual(['b', undefined, 'ok'])
  })

  test.each([
    ['with a body', () => HttpResponse.text('ok', { headers: { 'X-A': 'a\u0001b' } })],
    ['with a stream', () => new HttpResponse(new Blob(['ok']).stream(), { headers: { 'X-A': 'a\u0001b' } })],
    ['without a body', () => new HttpResponse(null, { headers: { 'X-A': 'a\u0001b' } })],
  ])('a response %s gets the status 500, and the console says why', async (_, create) => {
    const error = vi.spyOn(console, 'error').mockImplementation(() => {})
    server.use(http.get('http://api.test/control', create))
    const message = await open('http://api.test/control')
    expect([message.statusCode, await text(message)]).toEqual([500, expect.stringContaining('"X-A"')])
    expect(error).toHaveBeenCalledExactlyOnceWith(
      expect.stringMatching(
        /Failed to send the mocked response to GET http:\/\/api\.test\S*\/control: .*"X-A".*US0417/,
      ),
    )
  })
})

describe('a text, which is sent without its stream', () => {
  test.each([
    ['ASCII', 'Ada', 'Ada'],
    ['characters of several bytes', 'Zoë 🐈', 'Zoë 🐈'],
    ['half a character', 'a\ud800b', 'a\ufffdb'],
    ['nothing', '', ''],
  ])('has its length in bytes: %s', async (_title, given, sent) => {
    server.use(http.get('http://api.test/text', () => HttpResponse.text(given)))
    const message = await open('http://api.test/text')
    expect(await text(message)).toBe(sent)
    expect(message.headers['content-length']).toBe(String(Buffer.byteLength(sent)))
  })

  test('is read afterwards, and its copies are not', async () => {
    const response = HttpResponse.json({ name: 'Ada' })
    const copy = response.clone()
    server.use(http.get('http://api.test/text', () => response))
    expect(await text(await open('http://api.test/text'))).toBe('{"name":"Ada"}')
    expect(response.bodyUsed).toBe(true)
    expect(await copy.json()).toEqual({ name: 'Ada' })
  })

  test('cannot be sent again by another handler', async () => {
    vi.spyOn(console, 'error').mockReturnValue()
    const response = HttpResponse.json({ name: 'Ada' })
    server.use(
      http.get('http://api.test/first', () => response),
      http.get('http://api.test/second', () => response),
    )
    expect((await open('http://api.test/first')).statusCode).toBe(200)
    expect((await open('http://api.test/second')).statusCode).toBe(500)
    expect(vi.mocked(console.error).mock.calls.flat().join(' ')).toContain('US0206')
  })
})
