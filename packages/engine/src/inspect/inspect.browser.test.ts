import { afterAll, beforeAll, expect, test, vi } from 'vitest'

import { setupWorker } from '../browser/start/setup-worker.ts'
import { http, HttpResponse } from '../index.ts'
import { inspect } from './inspect.ts'

const answers: ((text: string) => void)[] = []
const worker = setupWorker(
  http.get('/inspected', () => HttpResponse.text('mocked')),
  http.get('/slow', async () => HttpResponse.text(await new Promise<string>((resolve) => answers.push(resolve)))),
)
const inspection = inspect(worker)

beforeAll(async () => {
  await worker.start({ quiet: true, onUnhandledRequest: 'bypass' })
})
afterAll(() => worker.stop())

const read = async (): Promise<string> => (await (await fetch('/inspected')).text()).slice(0, 6)
const only = (): number => inspection.snapshot().handlers[0]?.id ?? -1

test('requests of the page are logged', async () => {
  expect(await read()).toBe('mocked')
  expect(inspection.snapshot()).toMatchObject({
    handlers: [{ hits: 1 }, { hits: 0 }],
    requests: [{ url: `${location.origin}/inspected`, outcome: 'mocked', handler: { id: only() } }],
  })
})

test('the requests of a disabled handler reach the network until it is enabled again', async () => {
  inspection.setEnabled(only(), false)
  expect(await read()).not.toBe('mocked')
  inspection.setEnabled(only(), true)
  expect(await read()).toBe('mocked')
})

test('requests that no handler could match are logged, without a message on the console', async () => {
  await fetch('/inspecteds')
  await expect
    .poll(() => inspection.snapshot().requests[0])
    .toMatchObject({
      outcome: 'unhandled',
      nearest: [{ id: only(), difference: 'segment 1 differs: `inspected` expected, `inspecteds` sent' }],
    })
})

/** Other browsers have other messages for errors. */
const isChromium = 'userAgentData' in navigator
const ofUrl = (url: string): unknown[] => inspection.snapshot().requests.filter((request) => request.url.endsWith(url))
const aborted = { outcome: 'network-error', handler: null, error: expect.stringContaining('aborted') }

test.runIf(isChromium)(
  'a request that the page aborts is not pending, also if its resolver answers later',
  async () => {
    const controller = new AbortController()
    const response = fetch('/slow?fetch', { signal: controller.signal })
    const request = new XMLHttpRequest()
    request.open('GET', '/slow?xhr')
    request.send()
    await expect.poll(() => answers.length).toBe(2)
    expect([...ofUrl('/slow?fetch'), ...ofUrl('/slow?xhr')]).toMatchObject([
      { outcome: 'pending' },
      { outcome: 'pending' },
    ])
    controller.abort()
    request.abort()
    await expect(response).rejects.toThrow('aborted')
    await expect.poll(() => [...ofUrl('/slow?fetch'), ...ofUrl('/slow?xhr')]).toMatchObject([aborted, aborted])
    for (const answer of answers.splice(0)) answer('late')
    // A later request was answered, so the answers above have arrived, too.
    await read()
    expect([...ofUrl('/slow?fetch'), ...ofUrl('/slow?xhr')]).toMatchObject([aborted, aborted])
  },
)

test.runIf(isChromium)('of several requests for one URL, the others are answered', async () => {
  const controller = new AbortController()
  const first = fetch('/slow?same')
  const second = fetch('/slow?same', { signal: controller.signal })
  await expect.poll(() => answers.length).toBe(2)
  controller.abort()
  await expect(second).rejects.toThrow('aborted')
  await expect
    .poll(() => ofUrl('/slow?same').filter((each) => (each as typeof aborted).outcome !== 'pending').length)
    .toBe(1)
  for (const answer of answers.splice(0)) answer('answered')
  expect(await (await first).text()).toBe('answered')
  await expect
    .poll(() => ofUrl('/slow?same').some((each) => (each as typeof aborted).outcome === 'pending'))
    .toBe(false)
  const again = fetch('/slow?same')
  await expect.poll(() => answers.length).toBe(1)
  expect(ofUrl('/slow?same')[0]).toMatchObject({ outcome: 'pending' })
  for (const answer of answers.splice(0)) answer('answered')
  await again
  expect(ofUrl('/slow?same')[0]).toMatchObject({ outcome: 'mocked' })
})

test.runIf(isChromium)('an unhandled request that the network fails is logged as failed', async () => {
  const url = 'http://localhost:1/unreachable'
  await expect(fetch(url)).rejects.toThrow('Failed to fetch')
  await expect
    .poll(() => inspection.snapshot().requests[0])
    .toMatchObject({ url, outcome: 'network-error', error: expect.stringContaining('the network did not answer') })
  // A second request is not taken for the first one.
  await fetch('/inspecteds?later')
  expect(ofUrl('/inspecteds?later')).toMatchObject([{ outcome: 'unhandled', error: null }])
})

test.runIf(isChromium)(
  'a request that is aborted at once, as by an effect of React, is not pending, and the next one is',
  async () => {
    const controller = new AbortController()
    const first = fetch('/slow?twice', { signal: controller.signal })
    controller.abort()
    const second = fetch('/slow?twice')
    await expect(first).rejects.toThrow('aborted')
    await read()
    await expect
      .poll(() => ofUrl('/slow?twice').filter((each) => (each as typeof aborted).outcome === 'pending').length)
      .toBeLessThan(2)
    await expect.poll(() => answers.length).toBeGreaterThan(0)
    for (const answer of answers.splice(0)) answer('answered')
    expect(await (await second).text()).toBe('answered')
    await expect.poll(() => ofUrl('/slow?twice')).toContainEqual(expect.objectContaining({ outcome: 'mocked' }))
    expect(ofUrl('/slow?twice')[0]).toMatchObject({ outcome: 'mocked' })
  },
)

test.runIf(isChromium)(
  'a failed request does not notify the inspections of networks that have not got it',
  async () => {
    const notified = vi.fn<() => void>()
    const end = inspect(setupWorker()).subscribe(notified)
    const url = 'http://localhost:1/of-another-network'
    await expect(fetch(url)).rejects.toThrow('Failed to fetch')
    await expect.poll(() => inspection.snapshot().requests[0]).toMatchObject({ url, outcome: 'network-error' })
    // Until then, a notification would have arrived, too.
    await read()
    expect(notified).not.toHaveBeenCalled()
    end()
  },
)
