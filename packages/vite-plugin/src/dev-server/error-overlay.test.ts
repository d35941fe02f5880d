import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import fc from 'fast-check'
import { createServer, type ViteDevServer } from 'vite'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'

import { createRoot } from '../testing/create-root.ts'
import { understudy } from '../understudy.ts'

const handlersFile = 'src/mocks/handlers.ts'
let root: string
let server: ViteDevServer
let origin: string

beforeEach(async () => {
  root = await createRoot()
  await mkdir(join(root, 'src/mocks'), { recursive: true })
  // Vite removes the types, so line 3 becomes another line.
  await writeFile(join(root, handlersFile), 'interface Gone {}\n\nexport const handlers: Gone[] = []')
  await start()
})

async function start(): Promise<void> {
  server = await createServer({
    root,
    configFile: false,
    logLevel: 'silent',
    plugins: [understudy()],
    optimizeDeps: { noDiscovery: true, include: [] },
    server: { port: 0, host: '127.0.0.1' },
  })
  await server.listen()
  origin = new URL(server.resolvedUrls?.local[0] ?? '').origin
}

afterEach(async () => {
  await server.close()
})

async function read(path: string): Promise<string> {
  const response = await fetch(origin + path)
  expect(response.status).toBe(200)
  return response.text()
}

/** The connecting client. Default: a page of the server with the token. */
interface Client {
  from?: string | undefined
  token?: string | undefined
}

interface Connection {
  readonly socket: WebSocket
  /** Sends the data of an error's message; {@link send.text} sends a text as it is. */
  readonly send: ((data: unknown) => void) & { text(text: string): void }
  close(): void
}

async function connect(client: Client): Promise<Connection> {
  const { from } = { from: origin, ...client }
  const [, known = ''] = /wsToken = "(.+?)"/.exec(await read('/@vite/client')) ?? []
  const address = `${origin.replace('http', 'ws')}/?token=${known}`
  const socket = new WebSocket(address, 'vite-hmr', from === undefined ? {} : { origin: from })
  await new Promise((resolve, reject) => {
    socket.on('error', reject)
    socket.once('message', resolve)
  })
  const sendData = (data: unknown): void => {
    socket.send(
      JSON.stringify({ type: 'custom', event: 'understudy:error', data }, (_key, value: unknown) =>
        typeof value === 'bigint' ? String(value) : value,
      ),
    )
  }
  return {
    socket,
    send: Object.assign(sendData, { text: (text: string) => socket.send(text) }),
    close: () => socket.close(),
  }
}

async function readToken(): Promise<string | undefined> {
  return /token: "([^"]{20,})"/.exec(await read('/@id/__x00__virtual:understudy/bootstrap'))?.[1]
}

/** Sends an error as a page, and returns the message for the overlay. */
async function show(error: object, client: Client = {}): Promise<unknown> {
  const token = 'token' in client ? client.token : await readToken()
  const { socket, send, close } = await connect(client)
  const shown = new Promise((resolve) => {
    socket.on('message', (data: Buffer) => {
      const payload = JSON.parse(data.toString()) as { event?: string; data?: object }
      if (payload.event === 'understudy:error') resolve(payload.data)
    })
  })
  send({ id: 7, token, ...error })
  await shown
  close()
  return shown
}

test('a page gets an error with paths of files and source lines', async () => {
  const text = await read(`/${handlersFile}`)
  const line = text.split('\n').findIndex((each) => each.includes('export const handlers')) + 1
  const stack = `ReferenceError: nowhere is not defined\n    at ${origin}/${handlersFile}?t=5:${line}:14\n    at ${origin}/unknown.js:1:2`
  const error = { message: 'nowhere is not defined', stack }
  expect(await show(error)).toEqual({
    id: 7,
    err: {
      message: error.message,
      stack: `ReferenceError: nowhere is not defined\n    at ${root}/${handlersFile}:3:14\n    at ${origin}/unknown.js:1:2`,
      loc: { file: `${root}/${handlersFile}`, line: 3, column: 14 },
      plugin: '@understudy/vite-plugin',
    },
  })
})

test('a place in the message is that of the source, too', async () => {
  const text = await read(`/${handlersFile}`)
  const line = text.split('\n').findIndex((each) => each.includes('export const handlers')) + 1
  const compiled = `/${handlersFile}?t=5:${line}:14`
  expect(line).not.toBe(3)
  const stack = `Error: boom\n    at ${origin}${compiled}`
  expect(await show({ message: `Failed: Error: boom (at ${compiled}). Fix it.`, stack })).toMatchObject({
    err: { message: `Failed: Error: boom (at ${handlersFile}:3:14). Fix it.` },
  })
})

test('an error without a file gets the handlers file', async () => {
  expect(await show({ message: 'It exports no handlers.', stack: '' })).toMatchObject({
    err: { loc: { file: `${root}/${handlersFile}`, line: 1, column: 1 } },
  })
})

describe('clients that must not get paths of the project', () => {
  const stackOf = (name: string): string => `Error: it broke\n    at ${origin}/${name}:1:1`

  test.for<[string, Client]>([
    ['a page of another origin', { from: 'http://localhost:1' }],
    ['a program that sends no origin', { from: undefined }],
    ['a page of this origin without the token', { token: undefined }],
    ['a page of this origin with another token', { token: 'x'.repeat(32) }],
  ])('%s', async ([_name, client]) => {
    await read(`/${handlersFile}`)
    for (const stack of [stackOf(handlersFile), stackOf('unknown.js'), '']) {
      const shown = await show({ message: 'it broke', stack }, client)
      expect(shown).toEqual({ id: 7, err: { message: 'it broke', stack, plugin: '@understudy/vite-plugin' } })
    }
  })
})

describe('the dev server survives', () => {
  const rejections: unknown[] = []
  const note = (error: unknown): void => void rejections.push(error)
  beforeEach(() => {
    rejections.length = 0
    process.on('unhandledRejection', note)
    process.on('uncaughtException', note)
  })
  afterEach(() => {
    process.off('unhandledRejection', note)
    process.off('uncaughtException', note)
  })

  test('a stack with a stray %', async () => {
    const stack = `Error\n    at ${origin}/a%zz.js:1:1\n    at ${origin}/%E0%A4%A.js?%:1:1`
    expect(await show({ message: '%', stack })).toMatchObject({ err: { stack } })
    expect(rejections).toEqual([])
  })

  test('texts that are slow with a backtracking pattern', async () => {
    for (const part of ['http://', 'https://a:1', 'http://a:1:1:', ':1', ' http://x']) {
      const shown = show({ message: 'm'.repeat(1e6), stack: part.repeat(1e6 / part.length) })
      // While the event loop is blocked, no timer fires.
      expect(await shown).toMatchObject({ id: 7 })
    }
  }, 10_000)

  test('any message', async () => {
    const { send, close } = await connect({})
    const token = await readToken()
    const stackLine = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.tuple(fc.webUrl({ withQueryParameters: true }), fc.nat(), fc.nat()).map((parts) => `at ${parts.join(':')}`),
      fc
        .tuple(fc.string({ unit: fc.constantFrom('%', '/', '.', '\\', 'a', '?', '#', ':', '@fs', '\0', '1') }))
        .map(([path]) => `    at ${origin}/${path}:1:1`),
    )
    const error = fc.record(
      {
        id: fc.oneof(fc.integer(), fc.anything()),
        message: fc.oneof(fc.string(), fc.anything()),
        stack: fc.oneof(
          fc.array(stackLine).map((lines) => lines.join('\n')),
          fc.anything(),
        ),
      },
      { requiredKeys: [] },
    )
    fc.assert(
      fc.property(fc.oneof(error, fc.anything()), (data) => {
        send(typeof data === 'object' && data !== null ? { ...data, token } : data)
      }),
      { numRuns: 500 },
    )
    for (const text of ['', '{', '[]', 'null', '{"type":"custom"}', '{"type":"custom","event":"understudy:error"}']) {
      send.text(text)
    }
    close()
    expect(await show({ message: 'still here', stack: '' })).toMatchObject({ err: { message: 'still here' } })
    expect(rejections).toEqual([])
  })
})

test.for([
  ['right', undefined],
  ['broken', 'export const handlers = nowhere()'],
  ['gone', null],
] as const)('no module of the plugin contains a path of the disk: handlers that are %s', async ([_name, text]) => {
  if (text === null) await rm(join(root, handlersFile))
  else if (text !== undefined) await writeFile(join(root, handlersFile), text)
  const bootstrap = await read('/@id/__x00__virtual:understudy/bootstrap')
  expect(bootstrap).toContain('createMocking')
  expect(bootstrap).not.toContain(root)
  if (text === null) return
  expect(await read('/@id/__x00__virtual:understudy/handlers')).not.toContain(root)
})
