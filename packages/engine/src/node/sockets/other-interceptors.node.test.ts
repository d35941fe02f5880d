import { once } from 'node:events'
import nodeHttp, { Agent, createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import nodeHttps, { Agent as SecureAgent, createServer as createSecureServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'

import { BatchInterceptor } from '@mswjs/interceptors'
import interceptors from '@mswjs/interceptors/presets/node'
import { BatchInterceptor as EarlierBatchInterceptor } from 'interceptors-0.41'
import earlierInterceptors from 'interceptors-0.41/presets/node'
import nock from 'nock'
import {
  Agent as AgentOfUndici,
  getGlobalDispatcher,
  MockAgent,
  request as requestOfUndici,
  setGlobalDispatcher,
  type Dispatcher,
} from 'undici'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'

import { certificate } from '../../../../../test/certificate.ts'
import { http, HttpResponse } from '../../index.ts'
import { setupServer } from '../setup-server.ts'

/** Answers with `real` and the body of the request. */
const answer = (request: IncomingMessage, response: ServerResponse): void =>
  void text(request).then((body) => response.end(`real${body}`))
const backend = createServer(answer)
const secureBackend = createSecureServer(certificate, answer)
const server = setupServer(http.all('*/ours', () => HttpResponse.text('ours')))
let origin = ''
let secureOrigin = ''

beforeAll(async () => {
  // nock intercepts as soon as it is imported.
  nock.restore()
  await Promise.all([once(backend.listen(0), 'listening'), once(secureBackend.listen(0), 'listening')])
  origin = `http://localhost:${(backend.address() as AddressInfo).port}`
  secureOrigin = `https://localhost:${(secureBackend.address() as AddressInfo).port}`
})
afterEach(() => server.close())
afterAll(() => {
  for (const each of [backend, secureBackend]) {
    each.close()
    each.closeAllConnections()
  }
})

let agent: Agent
let secureAgent: SecureAgent
let dispatcher: Dispatcher
beforeEach(() => {
  dispatcher = new AgentOfUndici({ connections: 1, connect: { rejectUnauthorized: false } })
  agent = new Agent({ keepAlive: true, maxSockets: 1 })
  secureAgent = new SecureAgent({ keepAlive: true, maxSockets: 1, rejectUnauthorized: false })
})
afterEach(() => {
  agent.destroy()
  secureAgent.destroy()
  return dispatcher.destroy()
})

async function ask(url: string): Promise<string> {
  const isSecure = url.startsWith('https:')
  // MSW 2 replaces the functions of the module, which a named import does not show.
  const message = (isSecure ? nodeHttps : nodeHttp).get(url, { agent: isSecure ? secureAgent : agent })
  const [response] = (await once(message, 'response')) as [IncomingMessage]
  return text(response)
}

/** Sends bodies of different lengths, with and without the header `Content-Length`, one after the other on one connection. */
const lengths = [4, 100_000, 3, 0, 4]
async function post(url: string, length: number, isChunked: boolean): Promise<string> {
  const isSecure = url.startsWith('https:')
  const options = { agent: isSecure ? secureAgent : agent, method: 'POST' }
  const headers = isChunked ? {} : { 'Content-Length': String(length) }
  const message = (isSecure ? nodeHttps : nodeHttp).request(url, { ...options, headers })
  if (isChunked && length > 0) {
    message.write('b')
    await new Promise((resolve) => void setImmediate(resolve))
    message.end('b'.repeat(length - 1))
  } else message.end('b'.repeat(length))
  const [response] = (await once(message, 'response')) as [IncomingMessage]
  return `${response.statusCode} ${await text(response)}`
}
async function postByUndici(url: string, length: number, isChunked: boolean): Promise<string> {
  const content = 'b'.repeat(length)
  const body = isChunked ? Readable.from([Buffer.from(content)]) : content
  const { statusCode, body: answered } = await requestOfUndici(url, { dispatcher, method: 'POST', body })
  return `${statusCode} ${await answered.text()}`
}

const askByFetch = async (url: string): Promise<string> => (await fetch(url)).text()
const askByUndici = async (url: string): Promise<string> => (await requestOfUndici(url)).body.text()

/** Starts another library that intercepts requests to the paths `/theirs` of an origin. Returns a function that ends this. */
type Start = (origins: readonly string[]) => () => void

const libraries: [name: string, start: Start][] = [
  [
    'nock',
    (origins) => {
      nock.activate()
      for (const each of origins) nock(each, { allowUnmocked: true }).persist().get('/theirs').reply(200, 'theirs')
      return () => {
        nock.cleanAll()
        nock.restore()
      }
    },
  ],
  [
    '@mswjs/interceptors, as in MSW 3',
    () => {
      const batch = new BatchInterceptor({ name: 'other', interceptors })
      batch.apply()
      batch.on('request', ({ request: asked, controller }) => {
        if (asked.url.endsWith('/theirs')) controller.respondWith(new Response('theirs'))
      })
      return () => batch.dispose()
    },
  ],
  [
    '@mswjs/interceptors 0.41, as in MSW 2',
    () => {
      const batch = new EarlierBatchInterceptor({ name: 'other', interceptors: earlierInterceptors })
      batch.apply()
      batch.on('request', ({ request: asked, controller }) => {
        if (asked.url.endsWith('/theirs')) controller.respondWith(new Response('theirs'))
      })
      return () => batch.dispose()
    },
  ],
]

describe.each(libraries)('next to %s', (_, start) => {
  describe.each(['before', 'after'])('which starts %s this server', (order) => {
    let end: () => void
    beforeEach(() => {
      vi.spyOn(console, 'warn').mockReturnValue()
      // A connection with TLS that has carried a request to the network fails if the other library uses it again.
      if (order === 'after') secureAgent = new SecureAgent({ rejectUnauthorized: false })
      if (order === 'before') end = start([origin, secureOrigin])
      server.listen({ onUnhandledRequest: 'bypass' })
      if (order === 'after') end = start([origin, secureOrigin])
    })
    afterEach(() => {
      end()
      vi.restoreAllMocks()
    })

    test.each([
      ['http', () => origin, ask],
      ['https', () => secureOrigin, ask],
      ['fetch', () => origin, askByFetch],
      ['undici', () => origin, askByUndici],
    ])('each gets its requests of %s, and the network the others', async (client, base, send) => {
      const asked: string[] = []
      const paths = client === 'undici' ? ['/ours', '/real'] : ['/ours', '/theirs', '/real']
      for (const path of [...paths, ...paths]) asked.push(await send(base() + path))
      const names = paths.map((path) => path.slice(1))
      expect(asked).toEqual([...names, ...names])
    })
  })
})

describe.each(libraries.slice(1))('next to %s, which starts before this server', (_, start) => {
  test.each([
    ['http', () => origin, post],
    ['https', () => secureOrigin, post],
    ['undici', () => origin, postByUndici],
    ['undici, by https', () => secureOrigin, postByUndici],
  ])('the network gets each body of requests that wait for one connection: %s', async (_client, base, send) => {
    const end = start([origin, secureOrigin])
    server.listen({ onUnhandledRequest: 'bypass' })
    const requests = lengths.flatMap((length) => [send(base(), length, false), send(base(), length, true)])
    const asked = await Promise.all(requests)
    end()
    expect(asked).toEqual(
      lengths.flatMap((length) => [length, length]).map((length) => `200 real${'b'.repeat(length)}`),
    )
  })
})

test('a library that starts later gets requests first, with a warning', async () => {
  vi.resetModules()
  const { setupServer: setUp } = await import('../setup-server.ts')
  const warn = vi.spyOn(console, 'warn').mockReturnValue()
  const own = setUp(http.get('*/theirs', () => HttpResponse.text('ours')))
  own.listen({ onUnhandledRequest: 'bypass' })
  nock.activate()
  nock(origin).get('/theirs').twice().reply(200, 'theirs')
  expect([await ask(`${origin}/theirs`), await ask(`${origin}/theirs`)]).toEqual(['theirs', 'theirs'])
  nock.restore()
  own.close()
  expect(warn).toHaveBeenCalledExactlyOnceWith(
    expect.stringContaining('Another library (nock, MSW, @mswjs/interceptors)'),
  )
  warn.mockRestore()
})

test("next to undici's MockAgent", async () => {
  const before = getGlobalDispatcher()
  const mocks = new MockAgent()
  mocks.get('http://theirs.test').intercept({ path: '/theirs' }).reply(200, 'theirs').persist()
  setGlobalDispatcher(mocks)
  server.listen({ onUnhandledRequest: 'bypass' })
  for (const send of [askByFetch, askByUndici]) {
    expect(await send(`${origin}/ours`)).toBe('ours')
    expect(await send('http://theirs.test/theirs')).toBe('theirs')
    expect(await send(`${origin}/real`)).toBe('real')
  }
  setGlobalDispatcher(before)
})
