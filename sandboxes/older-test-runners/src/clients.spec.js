/** Tests requests of pages, with the globals that Vitest copies from jsdom. */
import { get } from 'node:http'

import { delay, http, HttpResponse, sse } from '@understudy/engine'
import { setupServer } from '@understudy/engine/node'
import axios from 'axios'
import crossFetch from 'cross-fetch'
import { fetch as pageFetch, Request as PageRequest } from 'whatwg-fetch'

const api = 'https://api.example.com'
const server = setupServer(
  http.get(`${api}/user`, () => HttpResponse.json({ name: 'Ada' })),
  http.post(`${api}/echo`, async ({ request }) => HttpResponse.json({ got: await request.json() }, { status: 201 })),
  http.get(`${api}/slow`, async () => {
    await delay('infinite')
  }),
)

beforeAll(() => server.listen({ onUnhandledRequest: 'error' }))
afterEach(() => server.resetHandlers())
afterAll(() => server.close())

// npm hoists packages: Vitest could silently load the jsdom of another workspace.
test('runs in the jsdom of the workspace', () => {
  expect(navigator.userAgent).toContain(`jsdom/${process.env.EXPECTED_JSDOM}.`)
})

describe('axios over XMLHttpRequest', () => {
  const client = axios.create({ baseURL: api, adapter: 'xhr' })

  test('reads and sends', async () => {
    expect((await client.get('/user')).data).toEqual({ name: 'Ada' })
    const { status, data } = await client.post('/echo', { a: 1 })
    expect([status, data]).toEqual([201, { got: { a: 1 } }])
  })

  test('is aborted, and times out', async () => {
    const controller = new AbortController()
    const pending = client.get('/slow', { signal: controller.signal })
    controller.abort()
    expect((await pending.catch((error) => error)).code).toBe('ERR_CANCELED')
    const error = await client.get('/slow', { timeout: 20 }).catch((reason) => reason)
    expect(error.code).toBe('ECONNABORTED')
  })

  test('fails where no handler matches', async () => {
    const printed = vi.spyOn(console, 'error').mockImplementation(() => {})
    expect((await client.get('/nowhere').catch((error) => error)).message).toBe('Network Error')
    expect(printed.mock.calls.flat().join(' ')).toContain('No handler matches GET https://api.example.com/nowhere')
    printed.mockRestore()
  })
})

describe('fetch', () => {
  test('reads and sends, also by a Request', async () => {
    expect(await (await fetch(`${api}/user`)).json()).toEqual({ name: 'Ada' })
    const request = new Request(`${api}/echo`, { method: 'POST', body: '{"a":1}' })
    expect(await (await fetch(request)).json()).toEqual({ got: { a: 1 } })
    expect((await fetch(new URL(`${api}/user`))).status).toBe(200)
  })

  test('takes a signal of the page', async () => {
    expect((await fetch(`${api}/user`, { signal: new AbortController().signal })).status).toBe(200)
    const controller = new AbortController()
    const pending = fetch(`${api}/slow`, { signal: controller.signal })
    controller.abort()
    await expect(pending).rejects.toMatchObject({ name: 'AbortError' })
  })

  test('follows a redirect, with a signal of the page', async () => {
    server.use(http.get(`${api}/old`, () => HttpResponse.redirect(`${api}/user`)))
    const { signal } = new AbortController()
    expect((await fetch(`${api}/old`, { signal })).url).toBe(`${api}/user`)
    expect((await fetch(new Request(`${api}/old`))).url).toBe(`${api}/user`)
  })

  test('reads an event stream', async () => {
    server.use(
      sse(`${api}/news`, ({ client }) => {
        client.send({ data: 'hello' })
        client.close()
      }),
    )
    const response = await fetch(`${api}/news`, { headers: { accept: 'text/event-stream' } })
    expect(await response.text()).toContain('data: hello')
  })

  test('gets the response of the handler at a relative URL of the page', async () => {
    server.use(http.get('/local', () => HttpResponse.text('of the page')))
    expect(await (await fetch('/local')).text()).toBe('of the page')
  })
})

test('whatwg-fetch, over XMLHttpRequest', async () => {
  expect(await (await pageFetch(`${api}/user`)).json()).toEqual({ name: 'Ada' })
  const request = new PageRequest(`${api}/echo`, { method: 'POST', body: '{"a":1}' })
  expect(await (await pageFetch(request)).json()).toEqual({ got: { a: 1 } })
  // A Request of whatwg-fetch, taken by the platform's fetch.
  const other = new PageRequest(`${api}/echo`, { method: 'POST', body: '{"b":2}' })
  expect(await (await fetch(other)).json()).toEqual({ got: { b: 2 } })
})

test('cross-fetch', async () => {
  expect(await (await crossFetch(`${api}/user`)).json()).toEqual({ name: 'Ada' })
  const init = { method: 'POST', body: '{"a":1}', headers: { 'content-type': 'application/json' } }
  expect(await (await crossFetch(`${api}/echo`, init)).json()).toEqual({ got: { a: 1 } })
})

test('node:http', async () => {
  server.use(http.get('http://api.example.com/plain', () => HttpResponse.text('plain')))
  const status = await new Promise((resolve, reject) => {
    get('http://api.example.com/plain', (response) => resolve(response.statusCode)).on('error', reject)
  })
  expect(status).toBe(200)
})
