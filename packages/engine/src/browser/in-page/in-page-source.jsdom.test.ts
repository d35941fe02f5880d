// @vitest-environment jsdom
/** Tests a page without a browser: `fetch` is Node's, and does not resolve URLs relative to the page. */
import { afterAll, beforeAll, expect, test, vi } from 'vitest'

import { Network } from '../../core/network/network.ts'
import { HttpResponse } from '../../core/responses/http-response.ts'
import { http } from '../../http/http.ts'
import { createFetchHandler } from '../../server/create-fetch-handler.ts'
import { setupWorker } from '../start/setup-worker.ts'

const worker = setupWorker(
  http.get('/boats/:id', ({ params, request }) => HttpResponse.json({ ...params, url: request.url })),
  http.post<never, { name: string }>('/boats', async ({ request }) =>
    HttpResponse.json(await request.json(), { status: 201 }),
  ),
  http.get('/moved', () => HttpResponse.redirect('/boats/7')),
)

beforeAll(async () => {
  await worker.start({ quiet: true })
})
afterAll(() => worker.stop())

const page = new URL('/boats/7', location.href)

test.each<[name: string, ask: () => Promise<Response>]>([
  ['a path', () => fetch('/boats/7')],
  ['a path below the page', () => fetch('boats/7')],
  ['a path at the page’s host', () => fetch(`//${location.host}/boats/7`)],
  ['a URL', () => fetch(page)],
  ['an absolute URL', () => fetch(page.href)],
  ['a Request', () => fetch(new Request(page))],
  ['a path, with a signal', () => fetch('/boats/7', { signal: new AbortController().signal })],
  ['a redirect', () => fetch('/moved')],
])('fetch is answered by %s', async (_name, ask) => {
  const response = await ask()
  expect(response.url).toBe(page.href)
  expect(await response.json()).toEqual({ id: '7', url: page.href })
})

test('an unhandled request goes to the network, and an invalid URL is refused', async () => {
  await expect(fetch('http://localhost:1/nothing')).rejects.toThrow(TypeError)
  await expect(fetch('http://')).rejects.toThrow(TypeError)
})

test('a body is sent', async () => {
  const response = await fetch('/boats', { method: 'POST', body: JSON.stringify({ name: 'Petrel' }) })
  expect([response.status, await response.json()]).toEqual([201, { name: 'Petrel' }])
})

test('an aborted request fails', async () => {
  const controller = new AbortController()
  controller.abort()
  await expect(fetch('/boats/7', { signal: controller.signal })).rejects.toMatchObject({ name: 'AbortError' })
})

test('a request that is aborted in the same task fails, although the handler answers at once', async () => {
  const controller = new AbortController()
  const asked = fetch('/boats/7', { signal: controller.signal })
  controller.abort()
  await expect(asked).rejects.toMatchObject({ name: 'AbortError' })
})

test('an XMLHttpRequest is answered', async () => {
  const request = new XMLHttpRequest()
  const loaded = new Promise((resolve) => {
    request.addEventListener('loadend', resolve)
  })
  request.open('GET', '/boats/7')
  request.send()
  await loaded
  expect([request.status, JSON.parse(request.responseText)]).toEqual([200, { id: '7', url: page.href }])
})

test.each(['text', new Uint16Array([1, 2]), null])(
  'an XMLHttpRequest fails if its body has the chunk %o',
  async (chunk) => {
    const cancel = vi.fn<() => void>()
    worker.use(
      http.get('/chunks', () => {
        const body = new ReadableStream({ start: (controller) => controller.enqueue(chunk), cancel })
        return new HttpResponse(body)
      }),
    )
    const request = new XMLHttpRequest()
    const types: string[] = []
    for (const type of ['load', 'error', 'loadend']) request.addEventListener(type, () => types.push(type))
    request.open('GET', '/chunks')
    request.send()
    await vi.waitFor(() => expect(types).toEqual(['error', 'loadend']))
    expect(request.responseText).toBe('')
    expect(cancel).toHaveBeenCalledOnce()
  },
)

test('a URL class without parse() and canParse(), as older versions of jsdom have, changes nothing', async () => {
  vi.stubGlobal(
    'URL',
    class extends URL {
      static override parse = undefined as never
      static override canParse = undefined as never
    },
  )
  try {
    expect(await (await fetch('boats/7')).json()).toEqual({ id: '7', url: page.href })
    await expect(fetch('http://')).rejects.toThrow(/parse URL|Invalid URL/)
    const answer = await new Promise<unknown>((resolve, reject) => {
      const request = new XMLHttpRequest()
      request.open('GET', 'boats/7')
      request.addEventListener('load', () => resolve(JSON.parse(request.responseText)))
      request.addEventListener('error', () => reject(new Error('not answered')))
      request.send()
    })
    expect(answer).toEqual({ id: '7', url: page.href })
    expect(new Network([], { baseUrl: page.href }).baseUrl).toBe(page.href)
    expect(() => new Network([], { baseUrl: '/boats' })).toThrow('Failed to read the option "baseUrl"')
    const handle = createFetchHandler([], { baseUrl: page.origin })
    expect((await handle(new Request(page))).status).toBe(404)
  } finally {
    vi.unstubAllGlobals()
  }
})
