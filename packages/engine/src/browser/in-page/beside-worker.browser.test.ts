import { afterEach, beforeEach, expect, inject, test, vi } from 'vitest'

import { bypass } from '../../core/responses/bypass.ts'
import { HttpResponse } from '../../core/responses/http-response.ts'
import { passthrough } from '../../core/responses/passthrough.ts'
import { http } from '../../http/http.ts'
import { setupWorker, type SetupWorker } from '../start/setup-worker.ts'

const natives = { fetch, XMLHttpRequest }
const realHeaders = `${inject('upstream')}/headers`
const pixel = '<svg xmlns="http://www.w3.org/2000/svg" width="7" height="7"/>'

let worker: SetupWorker
let asked: string[]

beforeEach(async () => {
  vi.spyOn(console, 'info').mockReturnValue(undefined)
  asked = []
  const resolver = ({ request }: { request: Request }): undefined => void asked.push(request.url)
  worker = setupWorker(
    http.get('/mocked', () => HttpResponse.text('mocked')),
    http.all('/pixel', () => HttpResponse.text(pixel, { headers: { 'Content-Type': 'image/svg+xml' } })),
    http.get(realHeaders, resolver),
    http.get(realHeaders, () => passthrough()),
  )
  const serviceWorker = { url: '/understudy-worker.js', options: { scope: '/' } }
  await worker.start({ quiet: true, onUnhandledRequest: 'warn', serviceWorker, answer: 'page' })
})
afterEach(() => {
  worker.stop()
  vi.restoreAllMocks()
})

/** Returns the response to an `XMLHttpRequest`. */
function send(url: string, prepare: (xhr: XMLHttpRequest) => void = () => {}): Promise<string> {
  return new Promise((resolve, reject) => {
    const xhr = new XMLHttpRequest()
    xhr.open('GET', url)
    prepare(xhr)
    xhr.addEventListener('load', () => resolve(xhr.responseText))
    xhr.addEventListener('error', () => reject(new Error('failed')))
    xhr.send()
  })
}

test.each([
  ['fetch', async (url: string) => (await fetch(url)).text()],
  ['XMLHttpRequest', (url: string) => send(url)],
])('the request of %s does not leave the page', async (_name, ask) => {
  performance.clearResourceTimings()
  expect(await ask('/mocked')).toBe('mocked')
  expect(performance.getEntriesByName(new URL('/mocked', location.href).href)).toEqual([])
})

test('a fetch that is aborted in the same task fails, although the handler answers at once', async () => {
  const controller = new AbortController()
  const aborted = fetch('/mocked', { signal: controller.signal })
  controller.abort()
  await expect(aborted).rejects.toMatchObject({ name: 'AbortError' })
})

test('the service worker answers the rest, such as elements and beacons', async () => {
  const mocked: string[] = []
  worker.events.on('response:mocked', ({ request }) => mocked.push(new URL(request.url).search))
  // Before the worker knows of the listener, requests are held.
  await fetch('/mocked')
  const image = new Image()
  image.src = '/pixel?element'
  await image.decode()
  expect(image.naturalWidth).toBe(7)
  navigator.sendBeacon('/pixel?beacon')
  await expect.poll(() => mocked).toContain('?beacon')
})

/** The `Accept` header that the server gets. */
const acceptOf = (answer: string): unknown => (JSON.parse(answer) as Record<string, string>).accept

test.each([
  ['fetch', '*/*', async () => acceptOf(await (await fetch(realHeaders)).text())],
  [
    'fetch with a type',
    'text/plain',
    async () => acceptOf(await (await fetch(realHeaders, { headers: { accept: 'text/plain' } })).text()),
  ],
  ['fetch in the mode no-cors', 'opaque', async () => (await fetch(realHeaders, { mode: 'no-cors' })).type],
  ['XMLHttpRequest', '*/*', async () => acceptOf(await send(realHeaders))],
  [
    'XMLHttpRequest with a type',
    'text/plain',
    async () => acceptOf(await send(realHeaders, (xhr) => xhr.setRequestHeader('accept', 'text/plain'))),
  ],
])('%s that no handler answers reaches the server once asked, and unmarked', async (_name, expected, ask) => {
  const events: string[] = []
  worker.events.on('request:start', ({ request }) => events.push(request.url))
  // Before the worker knows of the listener, requests are held.
  await fetch('/mocked')
  events.length = 0
  expect(await ask()).toBe(expected)
  expect(asked).toEqual([realHeaders])
  expect(events).toEqual([realHeaders])
})

test('a request that bypasses the handlers reaches the server without the mark, and no handler is asked', async () => {
  const headers = (await (await fetch(bypass(realHeaders))).json()) as Record<string, string>
  expect(headers.accept).toBe('*/*')
  expect(
    JSON.parse(await send(realHeaders, (xhr) => xhr.setRequestHeader('accept', 'understudy/passthrough'))),
  ).toMatchObject({
    accept: expect.not.stringContaining('understudy') as string,
  })
  expect(asked).toEqual([])
})

test('a request that no handler could match is reported once', async () => {
  const warn = vi.spyOn(console, 'warn').mockReturnValue(undefined)
  await fetch('/unhandled')
  await expect.poll(() => warn.mock.calls.length).toBe(1)
  await fetch('/mocked')
  expect(warn.mock.calls.map(([message]) => String(message))).toEqual([expect.stringContaining('/unhandled')])
})

test('a handler that is added answers the next request of each kind', async () => {
  worker.use(http.get('/added', () => HttpResponse.text(pixel, { headers: { 'Content-Type': 'image/svg+xml' } })))
  const image = new Image()
  image.src = '/added'
  expect(await (await fetch('/added')).text()).toBe(pixel)
  expect(await send('/added')).toBe(pixel)
  await image.decode()
  expect(image.naturalWidth).toBe(7)
})

test('stop() restores the globals', async () => {
  expect(fetch).not.toBe(natives.fetch)
  worker.stop()
  await expect.poll(() => fetch === natives.fetch && XMLHttpRequest === natives.XMLHttpRequest).toBe(true)
})

test('another value of the option is an error', async () => {
  const other = setupWorker()
  await expect(other.start({ answer: 'pgae' as never })).rejects.toThrow(
    'Failed to start the worker: "pgae" is not a valid value of "answer". Use "page" or "worker". (US0319)',
  )
})
