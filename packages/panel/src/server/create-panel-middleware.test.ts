/** Tests unchecked requests to the panel's middleware, with a real Node server. */
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { createServer, request as send, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text as readAll } from 'node:stream/consumers'

import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'

import { serveMiddleware } from '../testing/serve-middleware.ts'
import { createPanelMiddleware } from './create-panel-middleware.ts'
import { placesLimit, type SourcePlace } from './located-place.ts'

const serverChannel = 'understudy:test:middleware'
const asked: SourcePlace[] = []
const failures: unknown[] = []
/** Reads bodies before the panel, as a body parser of Express does. */
let parser: ((text: string) => unknown) | undefined
let server: Server
let origin: string
let token: string
let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'understudy-panel-server-'))
  const middleware = createPanelMiddleware({
    base: '/',
    root: join(folder, 'app'),
    serverChannel,
    locate: (place) => {
      asked.push(place)
      if (place.file === 'known')
        return Promise.resolve({ path: '/home/a/src/a.ts', name: 'src/a.ts', line: 7, column: 3 })
      if (place.file.startsWith('file: '))
        return Promise.resolve({
          path: join(folder, place.file.slice('file: '.length)),
          name: 'a.ts',
          line: 1,
          column: 1,
        })
      return Promise.reject(new URIError('URI malformed'))
    },
  })
  const served = await serveMiddleware((request, response) => {
    // As Koa does.
    response.statusCode = 404
    const next = (): unknown => response.writeHead(404).end()
    const parse = parser
    if (parse)
      void readAll(request).then((read) => middleware(Object.assign(request, { body: parse(read) }), response, next))
    else middleware(request, response, next)
  }, failures)
  ;({ server, origin } = served)
  const page = await (await fetch(`${origin}/__understudy/`)).text()
  token = /understudy-token" content="([^"]+)"/.exec(page)?.[1] ?? ''
  process.on('unhandledRejection', note)
  process.on('uncaughtException', note)
})

afterAll(() => {
  process.off('unhandledRejection', note)
  process.off('uncaughtException', note)
  server.closeAllConnections()
  server.close()
  return rm(folder, { recursive: true })
})

beforeEach(() => {
  parser = undefined
  asked.length = 0
  failures.length = 0
})

const note = (error: unknown): void => void failures.push(error)

interface Sent {
  readonly name?: string
  readonly body?: string | Buffer
  readonly headers?: Record<string, string>
}

/** @returns the status; `0` where the server ended the connection */
function post({ name = 'locate', body = '', headers = {} }: Sent): Promise<number> {
  return new Promise((resolve) => {
    const sent = send(`${origin}/__understudy/${name}`, {
      method: 'POST',
      headers: { origin, 'x-understudy-token': token, ...headers },
    })
    sent.on('response', (response) => {
      resolve(response.statusCode ?? 0)
      response.destroy()
    })
    sent.on('error', () => resolve(0))
    sent.end(body)
  })
}

test('behind Koa, pages and scripts have the status 200', async () => {
  const paths = ['/__understudy/', '/__understudy/panel.js', '/__understudy/dock.js']
  const statuses = await Promise.all(paths.map(async (path) => (await fetch(origin + path)).status))
  expect(statuses).toEqual([200, 200, 200])
})

test('a token of any bytes is refused', async () => {
  const guess = fc.oneof(
    fc.string({ minLength: 1 }),
    // As long as the token, in characters, and not in bytes.
    fc.string({ unit: fc.constantFrom('é', 'ÿ', 'a'), minLength: token.length, maxLength: token.length }),
  )
  await fc.assert(
    fc.asyncProperty(guess, async (text) => {
      // What Node itself refuses to send is left out.
      const header = text.replace(/[^\x20-\xff]|\x7f/g, 'ü')
      fc.pre(header.trim() !== token)
      expect(await post({ headers: { 'x-understudy-token': header } })).toBe(403)
    }),
  )
  expect(failures).toEqual([])
})

test('a page gets positions relative to the project without the token, and other origins nothing', async () => {
  const body = JSON.stringify({ places: ['known', 'unknown'].map((file) => ({ file, line: 1, column: 1 })) })
  const ask = (headers: Record<string, string>): Promise<Response> =>
    fetch(`${origin}/__understudy/places`, { method: 'POST', headers, body })
  const answer = await ask({ origin })
  expect(answer.headers.get('access-control-allow-origin')).toBe(null)
  expect(await answer.json()).toEqual({ places: [{ name: 'src/a.ts', line: 7, column: 3 }, null] })
  for (const headers of [
    { origin: 'http://localhost:1' },
    { origin: 'null' },
    { origin, 'sec-fetch-site': 'cross-site', host: 'a.test' },
  ]) {
    expect(await post({ name: 'places', body, headers })).toBe(403)
  }
  expect((await fetch(`${origin}/__understudy/places`)).status).toBe(404)
  expect(await post({ name: 'places', body: '{"places":[{}]}' })).toBe(400)
})

test.each([
  ['JSON', JSON.parse as (text: string) => unknown],
  ['text', String],
  ['bytes', (read: string) => Buffer.from(read)],
])('a body that a parser of the server has read as %s is used', async (_name, parse) => {
  parser = parse
  const body = JSON.stringify({ places: [{ file: 'known', line: 1, column: 1 }] })
  const answer = await fetch(`${origin}/__understudy/places`, { method: 'POST', headers: { origin }, body })
  expect(await answer.json()).toEqual({ places: [{ name: 'src/a.ts', line: 7, column: 3 }] })
})

test('the panel gets code only of files in the repository, and others get none', async () => {
  await mkdir(join(folder, 'app/src'), { recursive: true })
  await writeFile(join(folder, 'app/package.json'), '{}')
  await writeFile(join(folder, 'app/src/a.ts'), 'inside')
  await writeFile(join(folder, 'secret.ts'), 'outside')
  await symlink(join(folder, 'secret.ts'), join(folder, 'app/src/link.ts'))
  const names = ['app/src/a.ts', 'secret.ts', 'app/src/link.ts', 'app/src', 'missing.ts']
  const files = [...names.map((name) => `file: ${name}`), 'unknown']
  const body = toJson({ places: files.map((file) => ({ file, line: 1, column: 1 })) })
  const ask = (headers: Record<string, string>): Promise<Response> =>
    fetch(`${origin}/__understudy/excerpt`, { method: 'POST', headers, body })
  const answer = await ask({ origin, 'x-understudy-token': token })
  expect(answer.headers.get('access-control-allow-origin')).toBe(null)
  const none = { code: null }
  expect(await answer.json()).toEqual({ places: [{ code: '> 1 | inside\n    | ^' }, none, none, none, none, null] })
  asked.length = 0
  const isRefused = [
    { origin },
    { 'x-understudy-token': token },
    { origin: 'http://localhost:1', 'x-understudy-token': token },
    { origin: 'null', 'x-understudy-token': token },
    { origin, 'x-understudy-token': 'x'.repeat(token.length) },
  ]
  for (const headers of isRefused) {
    const refused = await ask(headers)
    expect(refused.status).toBe(403)
    expect(await refused.text()).not.toContain('inside')
  }
  expect((await fetch(`${origin}/__understudy/excerpt`)).status).toBe(404)
  expect(asked).toEqual([])
})

test.each([
  ['same-origin', 'rewritten', 200],
  ['same-site', 'rewritten', 403],
  ['cross-site', 'rewritten', 403],
  ['none', 'rewritten', 403],
  ['same-origin, cross-site', 'rewritten', 403],
  [undefined, 'rewritten', 403],
  [undefined, 'kept', 200],
])('a request with Sec-Fetch-Site %s and its host %s by a proxy', async (site, host, status) => {
  const headers = {
    ...(site !== undefined && { 'sec-fetch-site': site }),
    ...(host === 'rewritten' && { origin: 'https://shop.test' }),
  }
  expect(await post({ body: '{"places":[]}', headers })).toBe(status)
  expect(await post({ body: '{"places":[]}', headers: { ...headers, 'x-understudy-token': 'another' } })).toBe(403)
})

test('a body of any kind gets an answer', async () => {
  const body = fc.oneof(
    fc.json(),
    fc.string(),
    fc.uint8Array().map((bytes) => Buffer.from(bytes)),
    fc.anything().map((places) => toJson({ places })),
    fc.array(fc.anything()).map((places) => toJson({ places })),
    fc
      .array(fc.record({ file: fc.string(), line: fc.oneof(fc.integer(), fc.double()), column: fc.maxSafeInteger() }))
      .map((places) => toJson({ places })),
    fc.anything().map((message) => toJson({ connection: 'toString', message })),
  )
  await fc.assert(
    fc.asyncProperty(fc.constantFrom('locate', 'excerpt', 'places', 'tell'), body, async (name, text) => {
      expect([200, 400]).toContain(await post({ name, body: text }))
    }),
    { numRuns: 300 },
  )
  expect(failures).toEqual([])
  const isPlace = ({ file, line, column }: SourcePlace): boolean =>
    typeof file === 'string' && [line, column].every((each) => Number.isSafeInteger(each) && each >= 0)
  expect(asked.every(isPlace)).toBe(true)
})

test('too many places are not looked up', async () => {
  const place = { file: 'http://localhost/a.js', line: 1, column: 1 }
  const places = (count: number): string => toJson({ places: Array.from({ length: count }, () => ({ ...place })) })
  expect(await post({ body: places(placesLimit) })).toBe(200)
  expect(asked).toHaveLength(placesLimit)
  expect(await post({ body: places(placesLimit + 1) })).toBe(400)
  expect(await post({ body: toJson({ places: [{ ...place, file: 'a'.repeat(5000) }] }) })).toBe(400)
  expect([0, 400]).toContain(await post({ body: 'x'.repeat(3_000_000) }))
  expect([0, 400]).toContain(await post({ body: '['.repeat(900_000) }))
  expect(asked).toHaveLength(placesLimit)
  expect(failures).toEqual([])
})

test('a message of a thread that is not JSON does not end the connection', async () => {
  const response = await fetch(`${origin}/__understudy/connect`, {
    method: 'POST',
    headers: { origin, 'x-understudy-token': token },
  })
  const lines = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  expect((await lines?.read())?.value).toMatch(/^"[\w-]+"\n$/)
  const channel = new BroadcastChannel(serverChannel)
  const circle: { self?: unknown } = {}
  circle.self = circle
  for (const message of [1n, circle, 'sound']) channel.postMessage(message)
  expect((await lines?.read())?.value).toBe('"sound"\n')
  channel.close()
  await lines?.cancel()
  expect(failures).toEqual([])
})

test('a message of any kind reaches an open connection, or is refused', async () => {
  const response = await fetch(`${origin}/__understudy/connect`, {
    method: 'POST',
    headers: { origin, 'x-understudy-token': token },
  })
  const lines = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  const connection = JSON.parse((await lines?.read())?.value ?? '') as string
  await fc.assert(
    fc.asyncProperty(fc.anything(), async (message) => {
      expect(await post({ name: 'tell', body: toJson({ connection, message }) })).toBe(204)
    }),
    { numRuns: 50 },
  )
  // Structured cloning of it would overflow the stack.
  const deep = `{"connection":${JSON.stringify(connection)},"message":${'['.repeat(200_000)}${']'.repeat(200_000)}}`
  expect([204, 400]).toContain(await post({ name: 'tell', body: deep }))
  await lines?.cancel()
  expect(failures).toEqual([])
})

function toJson(value: unknown): string {
  const seen = new Set<unknown>()
  return JSON.stringify(value, (_key, each: unknown) => {
    if (typeof each === 'bigint' || typeof each === 'function' || typeof each === 'symbol') return String(each)
    if (typeof each === 'object' && each !== null) {
      if (seen.has(each)) return null
      seen.add(each)
    }
    return each
  })
}

test('in another page, there is only the token, for the same origin', async () => {
  const answer = createPanelMiddleware({
    base: '/',
    root: folder,
    isEmbedded: true,
    locate: () => Promise.resolve(undefined),
    findHandlers: () => ({ path: join(folder, 'handlers.ts'), name: 'handlers.ts' }),
  })
  const embedding = createServer((request, response) => {
    // As Storybook does.
    response.setHeader('Access-Control-Allow-Origin', '*')
    answer(request, response, () => response.writeHead(404).end())
  })
  await new Promise<void>((resolve) => {
    embedding.listen(0, '127.0.0.1', resolve)
  })
  const own = `http://127.0.0.1:${(embedding.address() as AddressInfo).port}`
  const read = (path: string, headers: Record<string, string> = {}): Promise<Response> =>
    fetch(`${own}/__understudy/${path}`, { headers })
  const known = await read('token')
  expect(known.headers.get('access-control-allow-origin')).toBeNull()
  const { token: given } = (await known.json()) as { token: string }
  for (const path of ['', 'panel.js', 'dock.js', 'page/Panel.js']) expect((await read(path)).status).toBe(404)
  expect((await read('token', { origin: 'https://evil.example' })).status).toBe(403)
  expect((await read('token', { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' })).status).toBe(403)
  const save = (headers: Record<string, string>): Promise<number> =>
    fetch(`${own}/__understudy/save`, { method: 'POST', headers, body: '{}' }).then(({ status }) => status)
  expect(await save({ origin: own })).toBe(403)
  expect(await save({ origin: 'https://evil.example', 'x-understudy-token': given })).toBe(403)
  expect(await save({ origin: own, 'x-understudy-token': given })).toBe(400)
  embedding.closeAllConnections()
  embedding.close()
})
