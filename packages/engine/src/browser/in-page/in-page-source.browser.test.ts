import { afterEach, expect, test, vi } from 'vitest'

import { HttpResponse } from '../../core/responses/http-response.ts'
import { http } from '../../http/http.ts'
import { setupWorker, type SetupWorker } from '../start/setup-worker.ts'

const natives = { fetch, XMLHttpRequest, sendBeacon: navigator.sendBeacon }

let worker: SetupWorker | undefined
afterEach(() => {
  worker?.stop()
  vi.restoreAllMocks()
  Reflect.deleteProperty(navigator, 'serviceWorker')
})

async function start(): Promise<{ info: string }> {
  const info = vi.spyOn(console, 'info').mockImplementation(() => {})
  Object.defineProperty(navigator, 'serviceWorker', { value: undefined, configurable: true })
  worker = setupWorker(http.get('/mocked', () => HttpResponse.text('mocked')))
  expect(await worker.start({ quiet: true, onUnhandledRequest: 'bypass' })).toBeUndefined()
  return { info: String(info.mock.lastCall?.[0]) }
}

test('prints that the page itself answers, with the reason', async () => {
  const { info } = await start()
  expect(info).toContain('in the page itself, because this browser has no service workers here')
})

test('replaces the globals while mocking is on, and restores them', async () => {
  await start()
  expect(fetch).not.toBe(natives.fetch)
  expect(new XMLHttpRequest()).toBeInstanceOf(natives.XMLHttpRequest)
  worker?.stop()
  expect({ fetch, XMLHttpRequest, sendBeacon: navigator.sendBeacon }).toEqual(natives)
  expect(fetch).toBe(natives.fetch)
})

test('globals that code stored while mocking was on act as the platform’s after stop()', async () => {
  await start()
  const taken = fetch
  expect(await (await taken('/mocked')).text()).toBe('mocked')
  worker?.stop()
  expect(await (await taken('/mocked')).text()).not.toBe('mocked')
})

test('may be stopped and started again', async () => {
  await start()
  worker?.stop()
  await start()
  expect(await (await fetch('/mocked')).text()).toBe('mocked')
})

test('sends unhandled requests to the network, and calls listeners', async () => {
  await start()
  const heard = new Promise<string>((resolve) => {
    worker?.events.on('response:bypass', ({ response }) => resolve(response.url))
  })
  const response = await fetch('/understudy-worker.js')
  expect(response.type).toBe('basic')
  expect(await heard).toBe(response.url)
})

test('sends a body again where a request does not show it, as in Firefox', async () => {
  await start()
  worker?.use(
    http.all('/start', () => HttpResponse.redirect('/end', 307)),
    http.all('/end', async ({ request }) => HttpResponse.text(`${request.method} ${await request.text()}`)),
  )
  vi.spyOn(Request.prototype, 'body', 'get').mockReturnValue(undefined as never)
  expect(await (await fetch('/start', { method: 'PUT', body: 'body' })).text()).toBe('PUT body')
  expect(await (await fetch('/start', { method: 'POST' })).text()).toBe('POST ')
  expect(await (await fetch('/start')).text()).toBe('GET ')
})
