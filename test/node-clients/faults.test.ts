import { get } from 'node:http'
import { get as getByTls } from 'node:https'
import { createServer, type AddressInfo, type Socket } from 'node:net'

import { http, HttpResponse, passthrough } from '@understudy/engine'
import { withFault } from '@understudy/engine/faults'
import { setupServer } from '@understudy/engine/node'
import axios from 'axios'
import got from 'got'
import { request as undiciRequest } from 'undici'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const head = 'HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n'
const chunked = `${head}Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n`

/** The actions of misbehaving servers. */
const misbehaviors: Record<string, (socket: Socket) => void> = {
  '/reset': (socket) => socket.resetAndDestroy(),
  '/empty': (socket) => socket.end(),
  '/length': (socket) => socket.end(`${head}Content-Length: 10\r\n\r\nhello`),
  '/nothing': (socket) => socket.end(`${head}Content-Length: 10\r\n\r\n`),
  '/chunked': (socket) => socket.end(chunked),
  '/malformed': (socket) => socket.end(`${chunked}malformed\r\n`),
}

/** The faults that a handler cannot reproduce. */
const withoutMock: Record<string, (socket: Socket) => void> = {
  '/garbage': (socket) => socket.end('garbage\r\n\r\n'),
  '/half-head': (socket) => socket.end(head),
}

const real = createServer((socket) => {
  let received = ''
  socket.on('error', () => {})
  socket.on('data', (chunk: Buffer) => {
    received += chunk.toString('latin1')
    const path = /^GET (\S+) .*\r\n\r\n$/s.exec(received)?.[1]
    if (path) (misbehaviors[path] ?? withoutMock[path])?.(socket)
  })
})

const text = (length: boolean): HttpResponse =>
  new HttpResponse('helloworld', {
    headers: { 'Content-Type': 'text/plain', ...(length && { 'Content-Length': '10' }) },
  })

const server = setupServer(
  http.get('*/reset', () => HttpResponse.error({ fault: 'connection-reset' })),
  http.get('*/empty', () => HttpResponse.error({ fault: 'empty-response' })),
  http.get('*/length', () => withFault(text(true), { kind: 'truncated-body' })),
  http.get('*/nothing', () => withFault(text(true), { kind: 'truncated-body', after: 0 })),
  http.get('*/chunked', () => withFault(text(false), { kind: 'truncated-body', after: 5 })),
  http.get('*/malformed', () => withFault(text(true), { kind: 'malformed-chunk' })),
  http.get('*/slow', () => withFault(text(true), { kind: 'slow-chunks', chunkSize: 4, interval: 5 })),
)

type Seen = Record<string, unknown>
type Failure = Error & Seen

/**
 * Returns the fields that libraries read to decide about a retry. The message of an error that a handler causes
 * differs.
 */
const fieldsOf = ({ name, code, errno, syscall }: Failure): Seen => ({
  name: name === 'UnderstudyError' ? 'Error' : name,
  code,
  errno,
  syscall,
})

async function read(stream: AsyncIterable<Uint8Array>, seen: Seen): Promise<void> {
  const decoder = new TextDecoder()
  seen['received'] = ''
  for await (const chunk of stream) seen['received'] += decoder.decode(chunk)
}

const clients: Record<string, (url: string, seen: Seen) => Promise<unknown>> = {
  async fetch(url, seen) {
    const response = await fetch(url)
    seen['status'] = response.status
    if (response.body) await read(response.body, seen)
  },
  async 'node:http'(url, seen) {
    const request = get(url)
    const closed = [new Promise((resolve) => request.on('close', resolve))]
    const outcome = new Promise((resolve, reject) => {
      request.on('response', (message) => {
        seen['status'] = message.statusCode
        closed.push(new Promise((ended) => message.on('close', ended)))
        message.on('aborted', () => (seen['aborted'] = true))
        message.on('error', (error: Failure) => (seen['error of the message'] = fieldsOf(error)))
        message.on('close', () => (seen['complete'] = message.complete))
        read(message, seen).then(resolve, reject)
      })
      request.on('error', (error: Failure) => {
        seen['error of the request'] = fieldsOf(error)
        reject(error)
      })
    })
    try {
      await outcome
    } finally {
      // The request and the response may fail after each other.
      await Promise.all(closed)
    }
  },
  async undici(url, seen) {
    const { statusCode, body } = await undiciRequest(url)
    seen['status'] = statusCode
    await read(body, seen)
  },
  got: (url) => got(url, { retry: { limit: 0 } }),
  axios: (url) => axios.get(url, { adapter: 'http', proxy: false }),
}

async function observe(run: (url: string, seen: Seen) => Promise<unknown>, url: string): Promise<Seen> {
  const seen: Seen = {}
  try {
    await run(url, seen)
    seen['outcome'] = 'ended'
  } catch (error) {
    seen['outcome'] = fieldsOf(error as Failure)
    const { cause } = error as { cause?: Failure }
    seen['cause'] = cause && fieldsOf(cause)
  }
  return seen
}

let origin = ''
const genuine = new Map<string, Seen>()

beforeAll(async () => {
  await new Promise<void>((resolve) => real.listen(0, '127.0.0.1', resolve))
  origin = `http://127.0.0.1:${(real.address() as AddressInfo).port}`
  for (const path of Object.keys({ ...misbehaviors, ...withoutMock })) {
    for (const [name, run] of Object.entries(clients)) genuine.set(name + path, await observe(run, origin + path))
  }
  server.listen({ onUnhandledRequest: 'error' })
})
afterAll(() => {
  server.close()
  real.close()
})

describe.each(Object.keys(misbehaviors))('%s fails as with a server that has the same fault', (path) => {
  test.each(Object.entries(clients))('%s', async (name, run) => {
    const expected = genuine.get(name + path)
    expect(expected?.['outcome']).not.toBe('ended')
    const seen = await observe(run, origin + path)
    // A report of several Node versions prints only the message.
    expect(seen, JSON.stringify([seen, expected])).toEqual(expected)
  })
})

describe('a passthrough request fails as without mocking', () => {
  beforeAll(() => server.use(http.get('*', () => passthrough())))
  afterAll(() => server.resetHandlers())

  describe.each(Object.keys({ ...misbehaviors, ...withoutMock }))('%s', (path) => {
    test.each(Object.entries(clients))('%s', async (name, run) => {
      expect(await observe(run, origin + path)).toEqual(genuine.get(name + path))
    })
  })
})

test.each(Object.entries(clients))('a malformed chunk comes after bytes that arrive with it: %s', async (name, run) => {
  const bytes = [new TextEncoder().encode('hello')]
  const failure = new TypeError('terminated', {
    cause: Object.assign(new Error('malformed'), { name: 'HTTPParserError' }),
  })
  server.use(
    http.get('*/malformed', () => {
      // The stream fails in the same turn of the event loop.
      const pull = (controller: ReadableStreamDefaultController<Uint8Array>): void => {
        const next = bytes.pop()
        if (next) controller.enqueue(next)
        else controller.error(failure)
      }
      return new HttpResponse(new ReadableStream({ pull }), { headers: { 'Content-Type': 'text/plain' } })
    }),
  )
  const seen = await observe(run, `${origin}/malformed`)
  server.resetHandlers()
  const expected = genuine.get(`${name}/malformed`)
  expect(seen, JSON.stringify([seen, expected])).toEqual(expected)
})

test.each([
  ['/empty', 'socket hang up'],
  ['/length', 'aborted'],
])('%s fails by TLS too', async (path, message) => {
  const failure = new Promise((resolve, reject) => {
    const request = getByTls(`https://api.test${path}`, (response) => {
      response.on('error', resolve)
      response.on('end', () => reject(new Error('the body ended')))
      response.resume()
    })
    request.on('error', resolve)
  })
  await expect(failure).resolves.toMatchObject({ message, code: 'ECONNRESET' })
})

describe('a body in slow chunks', () => {
  test.each(['fetch', 'node:http', 'undici'])('arrives completely: %s', async (name) => {
    const seen = await observe(clients[name] ?? (() => Promise.reject(new Error(name))), `${origin}/slow`)
    expect(seen).toMatchObject({ status: 200, received: 'helloworld', outcome: 'ended' })
  })

  test('has chunks of the given size', async () => {
    const { body } = await fetch(`${origin}/slow`)
    const sizes: number[] = []
    if (body) for await (const chunk of body) sizes.push(chunk.length)
    expect(sizes).toEqual([4, 4, 2])
  })
})
