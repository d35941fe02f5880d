import { createServer, get } from 'node:http'
import type { AddressInfo } from 'node:net'

import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'

import { setupServer } from '../node/setup-server.ts'
import { rest } from './rest.ts'

/** Responds with the received request. */
const backend = createServer((incoming, outgoing) => {
  let body = ''
  incoming.on('data', (chunk: Buffer) => (body += chunk.toString()))
  incoming.on('end', () => {
    const { 'content-type': type, accept, 'x-added': added } = incoming.headers
    outgoing.setHeader('Content-Type', 'application/json')
    outgoing.end(JSON.stringify({ method: incoming.method, url: incoming.url, type, accept, added, body }))
  })
})
let origin: string

const server = setupServer()

beforeAll(async () => {
  await new Promise<void>((resolve) => backend.listen(0, '127.0.0.1', resolve))
  origin = `http://127.0.0.1:${(backend.address() as AddressInfo).port}`
  server.listen({ onUnhandledRequest: 'error' })
})

afterEach(() => {
  server.resetHandlers()
  server.cookies.clear()
})

afterAll(async () => {
  server.close()
  await new Promise((resolve) => backend.close(resolve))
})

const post = {
  method: 'POST',
  headers: { 'Content-Type': 'application/json', Accept: 'application/json' },
  body: '{"a":1}',
}

test('ctx.fetch(req) sends the request unchanged', async () => {
  server.use(
    rest.post('*/real', async (req, res, ctx) => {
      req.headers.set('X-Added', '1')
      const original = (await (await ctx.fetch(req)).json()) as object
      return res(ctx.json({ ...original, patched: req.body }))
    }),
  )
  expect(await (await fetch(`${origin}/real?q=1`, post)).json()).toEqual({
    method: 'POST',
    url: '/real?q=1',
    type: 'application/json',
    accept: 'application/json',
    added: '1',
    body: '{"a":1}',
    patched: { a: 1 },
  })
})

test('ctx.fetch(url, init) sends another request', async () => {
  server.use(
    rest.get('*/here', async (_req, res, ctx) =>
      res(ctx.json(await (await ctx.fetch(`${origin}/there`, { method: 'DELETE' })).json())),
    ),
  )
  expect(await (await fetch(`${origin}/here`)).json()).toMatchObject({ method: 'DELETE', url: '/there' })
})

test('req.passthrough() lets the request through, read or not', async () => {
  server.use(
    rest.post('*/real', async (req) => {
      await req.json()
      return req.passthrough()
    }),
  )
  expect(await (await fetch(`${origin}/real`, post)).json()).toMatchObject({ method: 'POST', body: '{"a":1}' })
})

test('res.networkError(message) fails with the message', async () => {
  server.use(rest.get('*/down', (_req, res) => res.networkError('Failed to connect to the server')))
  await expect(fetch(`${origin}/down`)).rejects.toThrow(TypeError)
  const error = await new Promise((resolve) => get(`${origin}/down`).on('error', resolve))
  expect(String(error)).toContain('Failed to connect to the server')
})
