import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'

import { bypass, http, HttpResponse } from '../../index.ts'
import { setupServer } from '../setup-server.ts'
import type { NodeRequestInit } from './node-fetch.ts'

/** Where to find the dispatcher of the process. */
const slot = Symbol.for('undici.globalDispatcher.1')

const backend = createServer((incoming, outgoing) => void answer(incoming, outgoing))
let origin = ''
/** The requests that reached the real server. */
let reached: string[] = []

async function answer(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  const chunks: Buffer[] = []
  for await (const chunk of incoming) chunks.push(chunk as Buffer)
  const body = Buffer.concat(chunks).toString()
  reached.push(`${incoming.method} ${incoming.url} ${body}`.trim())
  const [, status, path] = /^\/(\d+)-to-(.*)/.exec(incoming.url ?? '') ?? []
  if (status) outgoing.writeHead(Number(status), { location: `/${path}` }).end('moved')
  else outgoing.end(`real ${incoming.method} ${body}`)
}

const moved = http.all('*/mocked-:rest', ({ params }) => {
  const [, status, path] = /^(\d+)-to-(.*)/.exec(String(params.rest)) ?? []
  return new HttpResponse(null, { status: Number(status), headers: { location: `/${path}` } })
})
const end = http.all('*/end', async ({ request }) => {
  return HttpResponse.text(`mocked ${request.method} ${await request.text()}`)
})
const server = setupServer(moved, end)

beforeAll(async () => {
  await new Promise<void>((resolve) => backend.listen(0, resolve))
  origin = `http://localhost:${(backend.address() as AddressInfo).port}`
})
afterEach(() => {
  server.close()
  server.resetHandlers()
  reached = []
})
afterAll(() => {
  backend.close()
  backend.closeAllConnections()
})

const statuses = [301, 302, 303, 307, 308] as const
const post = { method: 'POST', body: 'text' }

function integrityOf(text: string): string {
  return `sha384-${createHash('sha384').update(text).digest('base64')}`
}

function stream(): BodyInit {
  return new Blob(['text']).stream()
}

function streamed(): NodeRequestInit {
  return { method: 'POST', body: stream(), duplex: 'half' }
}

/** Returns the body of a response, or the error of the call. */
async function textOf(response: Promise<Response>): Promise<string> {
  return response.then(
    (value) => value.text(),
    (error: Error) => error.message,
  )
}

describe('the network redirects to a mock', () => {
  test.each(statuses)('%i: of a Request with a body', async (status) => {
    server.listen({ onUnhandledRequest: 'bypass' })
    const response = await fetch(new Request(`${origin}/${status}-to-end`, post))
    expect(response).toMatchObject({ url: `${origin}/end`, redirected: true, status: 200 })
    expect(await response.text()).toBe(status < 307 ? 'mocked GET ' : 'mocked POST text')
    expect(reached).toEqual([`POST /${status}-to-end text`])
  })

  test('of a Request with a Blob', async () => {
    server.listen({ onUnhandledRequest: 'bypass' })
    const init = { method: 'PUT', body: new Blob(['text']) }
    expect(await textOf(fetch(new Request(`${origin}/307-to-end`, init)))).toBe('mocked PUT text')
    expect(reached).toEqual(['PUT /307-to-end text'])
  })

  test.each([
    ['a string', (init: RequestInit) => fetch(`${origin}/302-to-end`, init)],
    ['a Request', (init: RequestInit) => fetch(new Request(`${origin}/302-to-end`, init))],
  ])('of %s with an integrity, which is that of the mock', async (_, run) => {
    server.listen({ onUnhandledRequest: 'bypass' })
    expect(await textOf(run({ integrity: integrityOf('mocked GET ') }))).toBe('mocked GET ')
    expect(await textOf(run({ integrity: integrityOf('real GET ') }))).toBe('fetch failed')
    expect(reached).toEqual(['GET /302-to-end', 'GET /302-to-end'])
  })

  test.each([
    ['in the options', () => fetch(`${origin}/303-to-end`, streamed())],
    ['in a Request', () => fetch(new Request(`${origin}/303-to-end`, streamed()))],
  ])('303: of a stream %s', async (_, run) => {
    server.listen({ onUnhandledRequest: 'bypass' })
    expect(await textOf(run())).toBe('mocked GET ')
    expect(reached).toEqual(['POST /303-to-end text'])
  })
})

describe('a mock redirects to a mock, which redirects to the network', () => {
  test.each(statuses)('%i: a Request sends its body as often as without a server', async (status) => {
    server.listen({ onUnhandledRequest: 'bypass' })
    const response = await fetch(new Request(`${origin}/mocked-${status}-to-mocked-${status}-to-other`, post))
    expect(response).toMatchObject({ url: `${origin}/other`, redirected: true })
    expect(await response.text()).toBe(status < 307 ? 'real GET ' : 'real POST text')
  })

  test.each([
    ['in the options', () => fetch(`${origin}/mocked-307-to-end`, streamed())],
    ['in a Request', () => fetch(new Request(`${origin}/mocked-307-to-end`, streamed()))],
  ])('a stream %s cannot be sent again, as without a server', async (_, run) => {
    server.listen({ onUnhandledRequest: 'error' })
    expect(await textOf(run())).toBe('fetch failed')
    expect(reached).toEqual([])
  })
})

describe('a bypassed request stays on the network', () => {
  const calls: [name: string, run: () => Promise<Response>][] = [
    ['GET', () => fetch(bypass(`${origin}/302-to-end`))],
    ['POST', () => fetch(bypass(`${origin}/307-to-end`, post))],
  ]

  test.each(calls)('%s: when it is redirected to a mocked URL', async (name, run) => {
    server.listen({ onUnhandledRequest: 'error' })
    expect(await textOf(run())).toBe(name === 'GET' ? 'real GET ' : 'real POST text')
  })

  test.each(calls)('%s: with a dispatcher that the app has set', async (name, run) => {
    const before: unknown = Reflect.get(globalThis, slot)
    const dispatch = Reflect.get(before as object, 'dispatch') as (...args: unknown[]) => unknown
    Reflect.set(globalThis, slot, { dispatch: (...args: unknown[]) => Reflect.apply(dispatch, before, args) })
    server.listen({ onUnhandledRequest: 'error' })
    try {
      expect(await textOf(run())).toBe(name === 'GET' ? 'real GET ' : 'real POST text')
    } finally {
      Reflect.set(globalThis, slot, before)
    }
  })

  test('a handler that patches a response runs once, if the server adds a slash', async () => {
    let runs = 0
    server.use(
      http.get('*/308-to-users', async ({ request }) => {
        runs += 1
        return HttpResponse.text(`patched ${await (await fetch(bypass(request))).text()}`)
      }),
      http.get('*/users', () => HttpResponse.text('mocked')),
    )
    server.listen({ onUnhandledRequest: 'error' })
    expect(await textOf(fetch(`${origin}/308-to-users`))).toBe('patched real GET ')
    expect(runs).toBe(1)
  })
})
