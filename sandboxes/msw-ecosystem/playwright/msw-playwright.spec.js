import { createServer } from 'node:http'

import { defineNetworkFixture } from '@msw/playwright'
import { expect, test as base } from '@playwright/test'
import { graphql, http, HttpResponse, ws } from 'msw'

const test = base.extend({
  network: [
    async ({ context }, use) => {
      const network = defineNetworkFixture({
        context,
        handlers: [http.get('/user', () => HttpResponse.json({ name: 'Ada' }))],
      })
      await network.enable()
      await use(network)
      await network.disable()
    },
    { auto: true },
  ],
})

let server
let origin
test.beforeAll(async () => {
  server = createServer((request, response) => {
    response.setHeader('Content-Type', 'text/html')
    response.end(request.url === '/' ? '<!doctype html>' : 'real')
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  origin = `http://127.0.0.1:${server.address().port}`
})
test.afterAll(() => server.close())
test.beforeEach(({ page }) => page.goto(origin))

const ask = (page, path, init) =>
  page.evaluate(
    async ([url, options]) => {
      try {
        const response = await fetch(url, options)
        return `${response.status} ${await response.text()}`
      } catch (error) {
        return error.name
      }
    },
    [path, init],
  )

test('initial handlers, the real server, handlers that are used and reset', async ({ page, network }) => {
  expect(await ask(page, '/user')).toBe('200 {"name":"Ada"}')
  expect(await ask(page, '/other')).toBe('200 real')
  network.use(
    http.get('/user', () => HttpResponse.error()),
    http.post('/user', async ({ request }) => HttpResponse.json(await request.json(), { status: 201 })),
  )
  expect(await ask(page, '/user')).toBe('TypeError')
  expect(await ask(page, '/user', { method: 'POST', body: '{"a":1}' })).toBe('201 {"a":1}')
  network.resetHandlers()
  expect(await ask(page, '/user')).toBe('200 {"name":"Ada"}')
})

test('a handler that is used once, and one that throws', async ({ page, network }) => {
  network.use(http.get('/user', () => HttpResponse.text('once'), { once: true }))
  expect(await ask(page, '/user')).toBe('200 once')
  expect(await ask(page, '/user')).toBe('200 {"name":"Ada"}')
  network.use(
    http.get('/user', () => {
      throw new Error('mine')
    }),
  )
  expect(await ask(page, '/user')).toContain('500 {"name":"Error","message":"mine"')
})

test('GraphQL', async ({ page, network }) => {
  network.use(graphql.query('GetUser', ({ variables }) => HttpResponse.json({ data: { id: variables.id } })))
  const body = JSON.stringify({ query: 'query GetUser { id }', variables: { id: '5' } })
  const headers = { 'Content-Type': 'application/json' }
  expect(await ask(page, '/graphql', { method: 'POST', headers, body })).toBe('200 {"data":{"id":"5"}}')
})

test('WebSocket', async ({ page, network }) => {
  network.use(
    ws.link('wss://chat.example.com/:room').addEventListener('connection', ({ client, params }) => {
      client.send(`welcome to ${params.room}`)
      client.addEventListener('message', ({ data }) => client.send(`got ${data}`))
    }),
  )
  const messages = await page.evaluate(
    () =>
      new Promise((resolve) => {
        const got = []
        const socket = new WebSocket('wss://chat.example.com/lobby')
        socket.addEventListener('open', () => socket.send('x'))
        socket.addEventListener('message', ({ data }) => {
          got.push(data)
          if (got.length === 2) resolve(got)
        })
      }),
  )
  expect(messages).toEqual(['welcome to lobby', 'got x'])
})

test('events', async ({ page, network }) => {
  const events = []
  network.events.on('request:start', ({ request }) => events.push(`start ${new URL(request.url).pathname}`))
  network.events.on('request:match', ({ requestId }) => events.push(`match ${typeof requestId}`))
  await ask(page, '/user')
  expect(events).toEqual(['start /user', 'match string'])
})
