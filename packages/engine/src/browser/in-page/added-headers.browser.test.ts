/** Tests that handlers see the header that browsers add to requests, wherever a request is answered. */
import { afterEach, beforeEach, describe, expect, inject, test, vi } from 'vitest'

import { HttpResponse } from '../../core/responses/http-response.ts'
import { passthrough } from '../../core/responses/passthrough.ts'
import { http } from '../../http/http.ts'
import { setupWorker, type SetupWorker } from '../start/setup-worker.ts'
import { send } from './xml-http-request/testing/send.ts'

const realHeaders = `${inject('upstream')}/headers`
const serviceWorker = { url: '/understudy-worker.js', options: { scope: '/' } }

describe.each([
  ['the service worker', 'worker', true],
  ['the page, beside the service worker', 'page', true],
  ['the page itself', 'worker', false],
] as const)('the Accept header of a request that is answered by %s', (_name, answer, isWorker) => {
  let worker: SetupWorker
  let seen: (string | null)[]

  beforeEach(async () => {
    vi.spyOn(console, 'info').mockReturnValue(undefined)
    if (!isWorker) Object.defineProperty(navigator, 'serviceWorker', { value: undefined, configurable: true })
    seen = []
    worker = setupWorker(
      http.all('/accept', ({ request }) => {
        seen.push(request.headers.get('accept'))
        return HttpResponse.text(String(request.headers.get('accept')))
      }),
      http.all('/moved', () => HttpResponse.redirect('/accept', 307)),
      http.get(realHeaders, () => passthrough()),
    )
    await worker.start({ quiet: true, onUnhandledRequest: 'bypass', serviceWorker, answer })
  })
  afterEach(() => {
    worker.stop()
    vi.restoreAllMocks()
    Reflect.deleteProperty(navigator, 'serviceWorker')
  })

  const given = { accept: 'text/x' }
  test.each<[name: string, accept: string, ask: () => unknown]>([
    ['fetch', '*/*', () => fetch('/accept')],
    ['fetch with a value', 'text/x', () => fetch('/accept', { headers: given })],
    ['fetch with a Request', '*/*', () => fetch(new Request('/accept', { method: 'POST', body: 'body' }))],
    ['fetch without CORS', '*/*', () => fetch('/accept', { mode: 'no-cors' })],
    ['fetch, redirected', '*/*', () => fetch('/moved', { method: 'POST', body: 'body' })],
    ['XMLHttpRequest', '*/*', () => send({ path: '/accept' })],
    [
      'XMLHttpRequest with a value',
      'text/x',
      () => send({ path: '/accept', prepare: (xhr) => xhr.setRequestHeader('accept', 'text/x') }),
    ],
    ['sendBeacon', '*/*', () => navigator.sendBeacon('/accept', 'body')],
  ])('%s', async (_api, accept, ask) => {
    await ask()
    await expect.poll(() => seen).toEqual([accept])
  })

  test('reaches the network unchanged', async () => {
    const accept = async (init: RequestInit): Promise<unknown> =>
      ((await (await fetch(realHeaders, init)).json()) as Record<string, unknown>)['accept']
    expect([await accept({}), await accept({ headers: given })]).toEqual(['*/*', 'text/x'])
  })
})
