import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { createServer, type ViteDevServer } from 'vite'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { WebSocket } from 'ws'

import { handlersFoundEvent, lastEditEvent } from './last-edit.ts'
import { understudy } from './understudy.ts'

const handlersFile = 'src/mocks/handlers.js'
let root: string
let server: ViteDevServer
let origin: string

beforeEach(async () => {
  const parent = join(import.meta.dirname, '../../../.tmp')
  await mkdir(parent, { recursive: true })
  root = await mkdtemp(join(parent, 'last-edit-'))
  await mkdir(join(root, 'src/mocks'), { recursive: true })
  await writeFile(join(root, handlersFile), 'export const handlers = []')
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

const read = async (path: string): Promise<string> => (await fetch(origin + path)).text()

const readBootstrap = (): Promise<string> => read('/@id/__x00__virtual:understudy/bootstrap')

/** Returns the token of this run's pages. */
async function readToken(): Promise<string | undefined> {
  return /token: "([^"]{20,})"/.exec(await readBootstrap())?.[1]
}

const others = [undefined, null, 5, 'text', [], {}, { token: 'wrong' }, { token: { toString: null } }]

/** Sends messages of one client with an event. Resolves with the answers when the first one arrives. */
async function send(sent: string, ...messages: unknown[]): Promise<unknown[]> {
  const [, known = ''] = /wsToken = "(.+?)"/.exec(await read('/@vite/client')) ?? []
  const socket = new WebSocket(`${origin.replace('http', 'ws')}/?token=${known}`, 'vite-hmr', { origin })
  const answers: unknown[] = []
  const answered = new Promise<void>((resolve) => {
    socket.on('message', (text: Buffer) => {
      const payload = JSON.parse(text.toString()) as { event?: string; data?: unknown }
      if (payload.event !== sent) return
      answers.push(payload.data)
      resolve()
    })
  })
  await new Promise((resolve) => socket.once('message', resolve))
  for (const data of messages) socket.send(JSON.stringify({ type: 'custom', event: sent, data }))
  await answered
  socket.close()
  return answers
}

test('only a client with the token gets the time since the last edit of the handlers', async () => {
  const token = await readToken()
  // The dev server has the modules after a page has requested them.
  await read('/@id/__x00__virtual:understudy/handlers')
  await read(`/${handlersFile}`)
  await writeFile(join(root, handlersFile), 'export const handlers = [/* edited */]')
  await expect.poll(() => read(`/${handlersFile}`), { timeout: 20_000 }).toContain('edited')
  expect(await send(lastEditEvent, ...others, { token })).toEqual([{ ago: expect.any(Number) as number }])
})

test('a page that was not connected when the handlers file was created learns that there is one', async () => {
  await rm(join(root, handlersFile))
  // A page that loads now holds its requests, and connects later.
  await expect.poll(readBootstrap).toContain('Failed to find the handlers')
  const token = await readToken()
  await writeFile(join(root, handlersFile), 'export const handlers = []')
  expect(await send(handlersFoundEvent, ...others, { token })).toEqual([undefined])
  expect(await readBootstrap()).not.toContain('Failed to find the handlers')
})

test('a page that loads while the handlers file is deleted for a moment gets its handlers', async () => {
  await read(`/${handlersFile}`)
  await rm(join(root, handlersFile))
  // Without an entry in the cache of modules, this request finds no file.
  server.moduleGraph.invalidateAll()
  await readBootstrap()
  await writeFile(join(root, handlersFile), 'export const handlers = []')
  await expect.poll(readBootstrap, { timeout: 20_000 }).not.toContain('Failed to find the handlers')
})
