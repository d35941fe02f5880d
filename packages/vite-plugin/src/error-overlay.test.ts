import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { createServer, type ViteDevServer } from 'vite'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { WebSocket } from 'ws'

import { understudy } from './understudy.ts'

const handlersFile = 'src/mocks/handlers.ts'
let root: string
let server: ViteDevServer
let origin: string

beforeEach(async () => {
  // Where the engine is found.
  const parent = join(import.meta.dirname, '../../../.tmp')
  await mkdir(parent, { recursive: true })
  root = await mkdtemp(join(parent, 'overlay-'))
  await mkdir(join(root, 'src/mocks'), { recursive: true })
  // Vite writes types away: what was line 3 is another one then.
  await writeFile(join(root, handlersFile), 'interface Gone {}\n\nexport const handlers: Gone[] = []')
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
})

afterEach(async () => {
  await server.close()
  await rm(root, { recursive: true, force: true })
})

async function read(path: string): Promise<string> {
  const response = await fetch(origin + path)
  expect(response.status).toBe(200)
  return response.text()
}

/** What the overlay of a page gets for an error that the page has sent. */
async function show(error: object, from: string): Promise<unknown> {
  const [, token] = /wsToken = "(.+?)"/.exec(await read('/@vite/client')) ?? []
  const socket = new WebSocket(`${origin.replace('http', 'ws')}/?token=${token}`, 'vite-hmr', { origin: from })
  const shown = new Promise((resolve, reject) => {
    socket.on('error', reject)
    socket.on('message', (data: Buffer) => {
      const payload = JSON.parse(data.toString()) as { type: string; event?: string; data?: object }
      if (payload.type === 'connected') {
        socket.send(JSON.stringify({ type: 'custom', event: 'understudy:error', data: { id: 7, ...error } }))
      } else if (payload.event === 'understudy:error') resolve(payload.data)
    })
  })
  await shown
  socket.close()
  return shown
}

test('what a page gets to know of an error names files where they lie, and lines as they were written', async () => {
  const text = await read(`/${handlersFile}`)
  const line = text.split('\n').findIndex((each) => each.includes('export const handlers')) + 1
  const stack = `ReferenceError: nowhere is not defined\n    at ${origin}/${handlersFile}?t=5:${line}:14\n    at ${origin}/unknown.js:1:2`
  const error = { message: 'nowhere is not defined', stack }
  expect(await show(error, origin)).toEqual({
    id: 7,
    err: {
      message: error.message,
      stack: `ReferenceError: nowhere is not defined\n    at ${root}/${handlersFile}:3:14\n    at ${origin}/unknown.js:1:2`,
      loc: { file: `${root}/${handlersFile}`, line: 3, column: 14 },
      plugin: '@understudy/vite-plugin',
    },
  })
})

test('an error that names no file is one of the handlers file', async () => {
  expect(await show({ message: 'It exports no handlers.', stack: '' }, origin)).toMatchObject({
    err: { loc: { file: `${root}/${handlersFile}`, line: 1, column: 1 } },
  })
})

test('a page of another origin learns no path of the disk', async () => {
  await read(`/${handlersFile}`)
  const error = { message: 'it broke', stack: `Error: it broke\n    at ${origin}/${handlersFile}:1:1` }
  for (const stack of [error.stack, '']) {
    const shown = await show({ ...error, stack }, 'http://localhost:1')
    expect(shown).toMatchObject({ err: { message: 'it broke', loc: { file: handlersFile } } })
    expect(JSON.stringify(shown)).not.toContain(root)
  }
})

test.for([
  ['right', undefined],
  ['broken', 'export const handlers = nowhere()'],
  ['gone', null],
] as const)('no module of ours names a path of the disk: handlers that are %s', async ([_name, text]) => {
  if (text === null) await rm(join(root, handlersFile))
  else if (text !== undefined) await writeFile(join(root, handlersFile), text)
  const bootstrap = await read('/@id/__x00__virtual:understudy/bootstrap')
  expect(bootstrap).toContain('createMocking')
  expect(bootstrap).not.toContain(root)
  if (text === null) return
  expect(await read('/@id/__x00__virtual:understudy/handlers')).not.toContain(root)
})
