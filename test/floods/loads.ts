/** Floods of mocked exchanges, with the handlers that answer them. They run in pages and in Node. */
import { http, HttpResponse, ws, type HttpHandler, type WebSocketHandler } from '@understudy/engine'

import { BrokenBody, countExchange, createTally, readBody, runConcurrently, wait, type Tally } from './tally.ts'

/** Where a load runs. */
export interface Place {
  /** The origin of all requests: `'http://localhost:5173'`. */
  readonly origin: string
  /** Distinguishes pages. Each response contains it. */
  readonly name: string
}

/** The parameters of a load. */
export type Parameters = Readonly<Record<string, number>>

export interface Load {
  /** Creates the handlers, which must answer every request below `/api/`. */
  createHandlers(place: Place, parameters: Parameters): (HttpHandler | WebSocketHandler)[]
  run(place: Place, parameters: Parameters): Promise<Tally>
}

/** A parameter that a load needs. */
function read(parameters: Parameters, name: string): number {
  const value = parameters[name]
  if (value === undefined) throw new Error(`Failed to run a load: the parameter "${name}" is missing. Set it.`)
  return value
}

/** Short requests with every API: `count` of them or for `seconds`, `concurrent` at a time. */
const requests: Load = {
  createHandlers: ({ origin, name }) => [
    http.get<{ id: string }>(`${origin}/api/json/:id`, async ({ params }) => {
      // Responses arrive in another order than the requests.
      await wait((Number(params.id) * 7) % 11)
      return HttpResponse.json({ identity: `${name}:${params.id}` })
    }),
    http.get<{ id: string }>(`${origin}/api/header/:id`, ({ params }) => {
      return new HttpResponse(null, { status: 204, headers: { 'X-Identity': `${name}:${params.id}` } })
    }),
    http.post(`${origin}/api/echo`, async ({ request }) => HttpResponse.text(`${name}:${await request.text()}`)),
  ],
  async run({ origin, name }, parameters) {
    const { count = Infinity, seconds = Infinity } = parameters
    const tally = createTally()
    const end = Date.now() + seconds * 1000
    const kinds = Object.values(requestKinds)
    await runConcurrently(
      read(parameters, 'concurrent'),
      (id) => id < count && Date.now() < end,
      (id) => countExchange(tally, `${name}:${id}`, () => (kinds[id % kinds.length] ?? getJson)(origin, id)),
    )
    return tally
  },
}

const requestKinds = {
  getJson,
  async getHeader(origin: string, id: number): Promise<string> {
    const { headers } = await fetch(`${origin}/api/header/${id}`)
    return headers.get('X-Identity') ?? 'no identity'
  },
  async post(origin: string, id: number): Promise<string> {
    const response = await fetch(`${origin}/api/echo`, { method: 'POST', body: String(id) })
    return readBody(response.text())
  },
  ...(typeof XMLHttpRequest !== 'undefined' && { xhr: postByXhr }),
}

async function getJson(origin: string, id: number): Promise<string> {
  const response = await fetch(`${origin}/api/json/${id}`)
  const { identity } = (await readBody(response.json())) as { identity: string }
  return identity
}

function postByXhr(origin: string, id: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const xhr = new XMLHttpRequest()
    xhr.open('POST', `${origin}/api/echo`)
    xhr.addEventListener('load', () => resolve(xhr.responseText))
    xhr.addEventListener('error', () => reject(new TypeError('XMLHttpRequest fired "error"')))
    // Chromium reports a broken body with "abort", without showing headers before.
    xhr.addEventListener('abort', () => reject(new BrokenBody('XMLHttpRequest fired "abort"')))
    xhr.send(String(id))
  })
}

/** Large bodies of `megabytes` each: downloads as a stream and in one piece, and uploads. */
const bodies: Load = {
  createHandlers: ({ origin }, parameters) => {
    const size = read(parameters, 'megabytes') * 1024 * 1024
    return [
      http.get(`${origin}/api/stream`, () => new HttpResponse(createPatternStream(size))),
      http.get(`${origin}/api/piece`, () => HttpResponse.arrayBuffer(createPattern(0, size).buffer)),
      http.post(`${origin}/api/upload`, async ({ request }) =>
        HttpResponse.text(await describePattern(await bodyOf(request))),
      ),
    ]
  },
  async run({ origin }, parameters) {
    const size = read(parameters, 'megabytes') * 1024 * 1024
    const tally = createTally()
    const complete = `${size} bytes in order`
    const download = async (path: string): Promise<string> => describePattern((await fetch(`${origin}${path}`)).body)
    await countExchange(tally, complete, () => download('/api/stream'))
    await countExchange(tally, complete, () => download('/api/piece'))
    await countExchange(tally, complete, async () => {
      const parts = Array.from({ length: size / chunkSize }, (_, i) => createPattern(i * chunkSize, chunkSize))
      return (await fetch(`${origin}/api/upload`, { method: 'POST', body: new Blob(parts) })).text()
    })
    return tally
  },
}

const chunkSize = 65_536

/** The byte at each position is known, so that tests notice lost, repeated and exchanged bytes. */
function byteAt(position: number): number {
  return (position ^ (position >>> 8) ^ (position >>> 16)) & 255
}

function createPattern(start: number, length: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(length)
  for (let i = 0; i < length; i += 1) bytes[i] = byteAt(start + i)
  return bytes
}

function createPatternStream(size: number): ReadableStream<Uint8Array<ArrayBuffer>> {
  let sent = 0
  return new ReadableStream({
    pull(controller) {
      controller.enqueue(createPattern(sent, chunkSize))
      sent += chunkSize
      if (sent >= size) controller.close()
    },
  })
}

/** Returns the body of a request. In Firefox, it arrives in one piece. */
async function bodyOf(request: Request): Promise<ReadableStream<Uint8Array> | null> {
  return 'body' in request ? request.body : new Response(await (request as Request).arrayBuffer()).body
}

async function describePattern(body: ReadableStream<Uint8Array> | null): Promise<string> {
  const reader = body?.getReader()
  let position = 0
  for (;;) {
    const { done, value } = (await reader?.read()) ?? { done: true }
    if (done || value === undefined) return `${position} bytes in order`
    for (const byte of value) {
      if (byte !== byteAt(position)) return `a wrong byte at ${position}`
      position += 1
    }
  }
}

/** Messages of `sockets` WebSockets, `messages` each, `perSecond` of all together. The handler sends each back. */
const sockets: Load = {
  createHandlers: ({ origin }) => [
    ws.link(`${origin.replace('http', 'ws')}/api/socket`).addEventListener('connection', ({ client }) => {
      const name = client.url.searchParams.get('name')
      client.addEventListener('message', ({ data }) => client.send(`${name}:${data as string}`))
    }),
  ],
  async run({ origin, name }, parameters) {
    const tally = createTally()
    const count = read(parameters, 'sockets')
    const pause = 10
    const perTurn = (read(parameters, 'perSecond') / count) * (pause / 1000)
    const exchangeMessages = async (socketId: number): Promise<void> => {
      const socket = new WebSocket(`${origin.replace('http', 'ws')}/api/socket?name=${name}.${socketId}`)
      const expected: ((answer: string) => void)[] = []
      socket.addEventListener('message', ({ data }) => expected.shift()?.(String(data)))
      await new Promise((resolve) => {
        socket.addEventListener('open', resolve)
        socket.addEventListener('error', resolve)
      })
      const exchanges: Promise<void>[] = []
      const start = Date.now()
      for (let id = 0; id < read(parameters, 'messages'); id += 1) {
        const answer = new Promise<string>((resolve) => {
          expected.push(resolve)
        })
        // Messages must arrive in their order: the identity is compared with the oldest that is expected.
        exchanges.push(countExchange(tally, `${name}.${socketId}:${id}`, () => answer))
        socket.send(String(id))
        while (id > ((Date.now() - start) / pause) * perTurn) await wait(pause)
      }
      await Promise.all(exchanges)
      socket.close()
    }
    await Promise.all(Array.from({ length: count }, (_, id) => exchangeMessages(id)))
    return tally
  },
}

/** `streams` responses at the same time, each of `parts` parts. Pages read every fourth by EventSource. */
const streams: Load = {
  createHandlers: ({ origin, name }, parameters) => [
    http.get<{ id: string }>(`${origin}/api/streams/:id`, ({ params, request }) => {
      const isEvents = request.headers.get('accept') === 'text/event-stream'
      const encoder = new TextEncoder()
      const body = new ReadableStream<Uint8Array>({
        async start(controller) {
          for (let part = 0; part < read(parameters, 'parts'); part += 1) {
            const text = `${name}:${params.id}:${part}`
            controller.enqueue(encoder.encode(isEvents ? `data: ${text}\n\n` : `${text}\n`))
            await wait(20)
          }
          controller.enqueue(encoder.encode(isEvents ? 'data: end\n\n' : 'end\n'))
          controller.close()
        },
      })
      return new HttpResponse(body, { headers: { 'Content-Type': isEvents ? 'text/event-stream' : 'text/plain' } })
    }),
  ],
  async run({ origin, name }, parameters) {
    const tally = createTally()
    const parts = Array.from({ length: read(parameters, 'parts') }, (_, part) => part)
    const readStream = (id: number): Promise<void> => {
      const url = `${origin}/api/streams/${id}`
      const expected = [...parts.map((part) => `${name}:${id}:${part}`), 'end'].join('\n')
      const isEvents = id % 4 === 0 && typeof EventSource !== 'undefined'
      return countExchange(tally, expected, async () =>
        isEvents ? (await readEvents(url)).join('\n') : (await (await fetch(url)).text()).trimEnd(),
      )
    }
    await Promise.all(Array.from({ length: read(parameters, 'streams') }, (_, id) => readStream(id)))
    return tally
  },
}

function readEvents(url: string): Promise<string[]> {
  return new Promise((resolve, reject) => {
    const source = new EventSource(url)
    const events: string[] = []
    source.addEventListener('message', ({ data }: MessageEvent<string>) => {
      events.push(data)
      if (data !== 'end') return
      source.close()
      resolve(events)
    })
    source.addEventListener('error', () => {
      source.close()
      reject(new Error(`the event stream broke after ${events.length} events`))
    })
  })
}

/** `count` requests to `handlers` handlers, `concurrent`. The network answers every tenth, which has no handler. */
const handlers: Load = {
  createHandlers: ({ origin, name }, parameters) =>
    Array.from({ length: read(parameters, 'handlers') }, (_, index) =>
      index % 2 === 0
        ? http.get(`${origin}/api/item-${index}`, () => HttpResponse.text(`${name}:${index}`))
        : http.get<{ id: string }>(`${origin}/api/group-${index}/:id`, ({ params }) =>
            HttpResponse.text(`${name}:${index}:${params.id}`),
          ),
    ),
  async run({ origin, name }, parameters) {
    const tally = createTally()
    const count = read(parameters, 'count')
    const get = async (path: string): Promise<string> => (await fetch(origin + path)).text()
    await runConcurrently(
      read(parameters, 'concurrent'),
      (id) => id < count,
      (id) => {
        if (id % 10 === 9) return countExchange(tally, `the network: ${id}`, () => get(`/real/${id}`))
        // Use a prime number, so that requests are spread over all handlers.
        const index = (id * 7919) % read(parameters, 'handlers')
        return index % 2 === 0
          ? countExchange(tally, `${name}:${index}`, () => get(`/api/item-${index}`))
          : countExchange(tally, `${name}:${index}:${id}`, () => get(`/api/group-${index}/${id}`))
      },
    )
    return tally
  },
}

export const loads = { requests, bodies, sockets, streams, handlers } satisfies Record<string, Load>
