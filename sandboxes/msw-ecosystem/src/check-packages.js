/** Tests packages around MSW in Node, with handlers of Understudy. */
import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'

import { Collection } from '@msw/data'
import { fromOpenApi } from '@msw/source/open-api'
import { fromTraffic } from '@msw/source/traffic'
import { drop, factory, primaryKey } from '@mswjs/data'
import { createMiddleware, createServer } from '@mswjs/http-middleware'
import { createTRPCClient, httpLink } from '@trpc/client'
import { initTRPC } from '@trpc/server'
import express from 'express'
import { getResponse, http, HttpHandler, HttpResponse, passthrough } from 'msw'
import { createTRPCMsw, httpLink as mockedLink } from 'msw-trpc'
import { setupServer } from 'msw/node'
import { createOpenApiHttp } from 'openapi-msw'
import { z } from 'zod'

const api = 'https://api.example.com'
const server = setupServer()

before(() => server.listen({ onUnhandledRequest: 'error' }))
afterEach(() => server.resetHandlers())
after(() => server.close())

const readJson = async (url, init) => (await fetch(url, init)).json()

describe('@msw/source', () => {
  test('makes handlers of an OpenAPI document', async () => {
    const handlers = await fromOpenApi({
      openapi: '3.0.0',
      info: { title: 'Users', version: '1' },
      servers: [{ url: api }],
      paths: {
        '/users/{id}': {
          get: {
            responses: { 200: { content: { 'application/json': { example: { id: 'abc', name: 'Ada' } } } } },
          },
        },
        '/nothing': { post: {} },
      },
    })
    assert.ok(handlers.every((handler) => handler instanceof HttpHandler))
    server.use(...handlers)
    assert.deepEqual(await readJson(`${api}/users/abc`), { id: 'abc', name: 'Ada' })
    assert.equal((await fetch(`${api}/nothing`, { method: 'POST' })).status, 501)
  })

  test('replays an archive, one entry after the other', async () => {
    const entry = (text) => ({
      request: { method: 'GET', url: `${api}/next?page=1`, queryString: [{ name: 'page', value: '1' }], headers: [] },
      response: {
        status: 200,
        statusText: 'OK',
        headers: [{ name: 'content-type', value: 'text/plain' }],
        cookies: [],
        content: { text, mimeType: 'text/plain' },
      },
      time: 0,
    })
    server.use(...fromTraffic({ log: { entries: [entry('first'), entry('last')] } }))
    const next = async () => (await fetch(`${api}/next?page=1`)).text()
    assert.deepEqual([await next(), await next(), await next()], ['first', 'last', 'last'])
  })
})

test('@msw/data answers from a collection', async () => {
  const users = new Collection({ schema: z.object({ id: z.number(), name: z.string() }) })
  await users.create({ id: 1, name: 'Ada' })
  server.use(
    http.get(`${api}/users/:id`, ({ params }) =>
      HttpResponse.json(users.findFirst((q) => q.where({ id: Number(params.id) }))),
    ),
    http.post(`${api}/users`, async ({ request }) =>
      HttpResponse.json(await users.create(await request.json()), { status: 201 }),
    ),
  )
  assert.deepEqual(await readJson(`${api}/users/1`), { id: 1, name: 'Ada' })
  const created = await fetch(`${api}/users`, { method: 'POST', body: JSON.stringify({ id: 2, name: 'Bob' }) })
  assert.equal(created.status, 201)
  assert.deepEqual(await readJson(`${api}/users/2`), { id: 2, name: 'Bob' })
})

describe('@mswjs/data', () => {
  const db = factory({ user: { id: primaryKey(Number), name: String } })
  afterEach(() => drop(db))

  test('makes REST handlers', async () => {
    db.user.create({ id: 1, name: 'Ada' })
    server.use(...db.user.toHandlers('rest', api))
    assert.deepEqual(await readJson(`${api}/users`), [{ id: 1, name: 'Ada' }])
    const added = await fetch(`${api}/users`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ id: 2, name: 'Bob' }),
    })
    assert.equal(added.status, 201)
    assert.deepEqual(await readJson(`${api}/users/2`), { id: 2, name: 'Bob' })
    assert.equal((await fetch(`${api}/users/9`)).status, 404)
  })

  test('makes GraphQL handlers', async () => {
    db.user.create({ id: 1, name: 'Ada' })
    server.use(...db.user.toHandlers('graphql', `${api}/graphql`))
    const body = JSON.stringify({ query: 'query GetUsers { users { name } }' })
    const answer = await readJson(`${api}/graphql`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body,
    })
    assert.deepEqual(answer, { data: { users: [{ name: 'Ada' }] } })
  })
})

test('openapi-msw makes handlers by the paths of a document', async () => {
  const openApi = createOpenApiHttp({ baseUrl: api })
  server.use(
    openApi.get('/users/{id}', ({ params, response, query }) =>
      response(200).json({ id: params.id, tab: query.get('tab') }),
    ),
  )
  assert.deepEqual(await readJson(`${api}/users/5?tab=a`), { id: '5', tab: 'a' })
})

test('msw-trpc answers queries and mutations of a tRPC client', async () => {
  const trpc = createTRPCMsw({ links: [mockedLink({ url: `${api}/trpc` })] })
  const { procedure, router } = initTRPC.create()
  router({ user: procedure.query(() => null) })
  server.use(
    trpc.user.query(({ input }) => ({ id: input, name: 'Ada' })),
    trpc.save.mutation(({ input }) => ({ saved: input })),
  )
  const client = createTRPCClient({ links: [httpLink({ url: `${api}/trpc` })] })
  assert.deepEqual(await client.user.query(5), { id: 5, name: 'Ada' })
  assert.deepEqual(await client.save.mutate({ a: 1 }), { saved: { a: 1 } })
})

describe('@mswjs/http-middleware', () => {
  const handlers = [
    http.get('/user/:id', ({ params }) =>
      HttpResponse.json(
        { id: params.id },
        {
          headers: [
            ['Set-Cookie', 'a=1'],
            ['Set-Cookie', 'b=2'],
          ],
        },
      ),
    ),
    http.post('/echo', async ({ request }) => HttpResponse.json({ got: await request.json() }, { status: 201 })),
    http.get('/through', () => passthrough()),
  ]

  async function listen(context, app) {
    const listening = app.listen(0, '127.0.0.1')
    await new Promise((resolve) => listening.once('listening', resolve))
    context.after(() => listening.close())
    // The listening server is on this machine, and `server` would call its requests unhandled.
    server.use(http.all('http://127.0.0.1:*/*', () => passthrough()))
    return `http://127.0.0.1:${listening.address().port}`
  }

  test('answers as a middleware', async (context) => {
    const app = express()
    app.use(createMiddleware(...handlers))
    app.get('/own', (_request, response) => response.send('own'))
    app.get('/through', (_request, response) => response.send('passed'))
    const url = await listen(context, app)
    const user = await fetch(`${url}/user/5`)
    assert.deepEqual(await user.json(), { id: '5' })
    assert.deepEqual(user.headers.getSetCookie(), ['a=1', 'b=2'])
    const echo = await fetch(`${url}/echo`, {
      method: 'POST',
      body: '{"a":1}',
      headers: { 'Content-Type': 'application/json' },
    })
    assert.deepEqual([echo.status, await echo.json()], [201, { got: { a: 1 } }])
    assert.equal(await (await fetch(`${url}/own`)).text(), 'own')
    assert.equal(await (await fetch(`${url}/through`)).text(), 'passed')
  })

  test('answers as a server', async (context) => {
    const url = await listen(context, createServer(...handlers))
    assert.deepEqual(await readJson(`${url}/user/5`), { id: '5' })
    assert.equal((await fetch(`${url}/nowhere`)).status, 404)
  })
})

test('a handler that a package made answers without a server', async () => {
  const handler = new HttpHandler('get', '/a', () => HttpResponse.text('a'))
  const response = await getResponse([handler], new Request('http://localhost/a'), { baseUrl: 'http://localhost' })
  assert.equal(await response.text(), 'a')
})
