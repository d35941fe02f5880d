import { afterEach, beforeEach, expect, test, vi } from 'vitest'

import type { RequestData } from '../../worker/protocol.ts'
import { createRequestData } from '../testing/create-request-data.ts'

vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
// Fake timers do not replace this function, which KeepAlive uses.
AbortSignal.timeout = (milliseconds) => {
  const controller = new AbortController()
  setTimeout(() => controller.abort(), milliseconds)
  return controller.signal
}
const { KeepAlive } = await import('./keep-alive.ts')
const { WorkerChannel } = await import('./worker-channel.ts')
const { Network } = await import('../../core/network/network.ts')
const { delay, http, HttpResponse } = await import('../../index.ts')
// The channel loads it lazily. Loading takes longer than vi.waitFor() waits if the machine is busy.
await import('../reports/report-escaped.ts')

const url = 'https://app.test/api/never'
let sent: number
let channel: MessageChannel

/** Sends a request to a page, like its service worker. */
function request(changed: Partial<RequestData> = {}): void {
  channel.port2.postMessage({
    type: 'request',
    id: 1,
    request: createRequestData({ url, credentials: 'omit', ...changed }),
    couldMatch: true,
  })
}

beforeEach(() => {
  sent = 0
  channel = new MessageChannel()
})
afterEach(() => {
  channel.port1.close()
  vi.restoreAllMocks()
})

async function startWith(resolver: () => Promise<Response>): Promise<() => readonly unknown[]> {
  const warned = vi.spyOn(console, 'warn').mockImplementation(() => {})
  const isAsked = Promise.withResolvers<void>()
  const network = new Network([
    http.get(url, () => {
      isAsked.resolve()
      return resolver()
    }),
  ])
  const keepAlive = new KeepAlive(() => {
    sent += 1
  })
  new WorkerChannel(channel.port1, network, { keepAlive, workers: new Set() })
  request()
  await isAsked.promise
  return () => warned.mock.calls.flat().filter((text) => String(text).includes('US0318'))
}

test('a request without a response for five minutes is reported once, and keeps the worker alive until then', async () => {
  const reports = await startWith(async () => {
    await delay('infinite')
    return HttpResponse.text('never')
  })
  await vi.advanceTimersByTimeAsync(295_000)
  expect(reports()).toEqual([])
  expect(sent).toBe(59)
  await vi.advanceTimersByTimeAsync(20_000)
  await vi.waitFor(() => expect(reports()).toHaveLength(1))
  expect(String(reports()[0])).toContain(`GET ${url}`)
  await vi.advanceTimersByTimeAsync(600_000)
  expect(reports()).toHaveLength(1)
  expect(sent).toBe(59)
})

test('a response that comes earlier is not reported', async () => {
  const reports = await startWith(async () => {
    await delay(290_000)
    return HttpResponse.text('late')
  })
  await vi.advanceTimersByTimeAsync(700_000)
  expect(reports()).toEqual([])
  expect(sent).toBe(57)
})

test('a request of an unknown form fails, because it would keep the worker of another version busy', async () => {
  const answers: unknown[] = []
  channel.port2.addEventListener('message', ({ data }) => answers.push(data))
  channel.port2.start()
  const page = { keepAlive: new KeepAlive(() => {}), workers: new Set<string>() }
  new WorkerChannel(channel.port1, new Network([http.all('*', () => HttpResponse.text('mocked'))]), page)
  for (const message of [null, 'text', { id: 1 }, { type: 'request', id: 2, request: { target: url } }])
    channel.port2.postMessage(message)
  channel.port2.postMessage({ type: 'hear', id: 3 })
  await vi.waitFor(() => expect(answers).toContainEqual({ type: 'heard', id: 3 }))
  expect(answers).toEqual([
    { type: 'network-error', id: 1 },
    { type: 'network-error', id: 2 },
    { type: 'heard', id: 3 },
  ])
})

test.each([
  ['/themes/dark.css', 'no-cors', 404, 'text/plain', 1],
  ['/themes/dark.css', 'no-cors', 200, 'text/html; charset=utf-8', 1],
  ['/themes/dark.css', 'no-cors', 200, 'text/css', 0],
  // A handler of every path is not meant for files.
  ['/dark.css', 'no-cors', 404, 'text/plain', 0],
] as const)(
  'a handler that did not answer a file of the app is named if the server has no such file: %s %s %d %s',
  async (path, mode, status, type, count) => {
    vi.stubGlobal('location', { origin: 'https://app.test', href: 'https://app.test/' })
    const warned = vi.spyOn(console, 'warn').mockImplementation(() => {})
    const network = new Network([
      http.get('/themes/:name', () => HttpResponse.text('')),
      http.all('*', () => HttpResponse.text('')),
    ])
    const answers: unknown[] = []
    channel.port2.addEventListener('message', ({ data }) => answers.push(data))
    channel.port2.start()
    new WorkerChannel(channel.port1, network, { keepAlive: new KeepAlive(() => {}), workers: new Set() })
    request({ url: `https://app.test${path}`, mode, destination: 'style' })
    await vi.waitFor(() => expect(answers).toMatchObject([{ wantsResponse: true, isUnhandled: true }]))
    const body = new ReadableStream({ pull() {}, cancel: () => void answers.push('cancelled') })
    const response = { status, statusText: '', headers: [['content-type', type]], url: '', type: 'basic', body }
    channel.port2.postMessage({ type: 'response', id: 1, response }, [body])
    await vi.waitFor(() => expect(answers).toContain('cancelled'))
    await vi.waitFor(() => expect(warned).toHaveBeenCalledTimes(count))
    const named = /GET \/themes\/:name .*http\.get\('\/themes\/dark\.css'/
    expect(warned.mock.calls.filter((call) => named.test(String(call)))).toHaveLength(count)
    vi.unstubAllGlobals()
  },
)

test('observers learn why the worker asked about a request right before its start, also of requests that come at a time', async () => {
  const steps: string[] = []
  const network = new Network([http.get(url, () => HttpResponse.text('Ada'))])
  network.progress.add((step) => {
    if (step.type === 'worker' || step.type === 'start') steps.push(step.type)
  })
  new WorkerChannel(channel.port1, network, { keepAlive: new KeepAlive(() => {}), workers: new Set() })
  const message = { type: 'request', id: 1, request: createRequestData({ url, credentials: 'omit' }), couldMatch: true }
  for (const id of [1, 2]) channel.port1.dispatchEvent(new MessageEvent('message', { data: { ...message, id } }))
  await vi.waitFor(() => expect(steps).toHaveLength(4))
  expect(steps).toEqual(['worker', 'start', 'worker', 'start'])
})
