import fc from 'fast-check'
import { afterEach, expect, it, vi } from 'vitest'

import { Network } from '../../core/network/network.ts'
import { http, HttpResponse } from '../../index.ts'
import { fuzzSettings } from '../../testing/fuzz-settings.ts'
import corpus from '../../worker/worker-messages.corpus.json' with { type: 'json' }
import { createRequestData } from '../testing/create-request-data.ts'
import { KeepAlive } from './keep-alive.ts'
import { WorkerChannel } from './worker-channel.ts'

const anything = fc.anything({ withNullPrototype: true, withBigInt: true, withDate: true })
const text = fc.constantFrom('GET', 'CONNECT', 'https://app.test/a', 'no url', 'cors', '__proto__', 'navigate', '')
const mostly = <Value>(value: fc.Arbitrary<Value>): fc.Arbitrary<unknown> =>
  fc.oneof({ arbitrary: value, weight: 15 }, { arbitrary: anything, weight: 1 })
const headers = mostly(fc.array(mostly(fc.array(text, { maxLength: 3 })), { maxLength: 2 }))
const changes = fc.record(
  {
    url: mostly(text),
    method: mostly(text),
    headers,
    mode: mostly(text),
    redirect: mostly(text),
    referrer: mostly(text),
    destination: mostly(fc.constant('')),
    body: mostly(fc.constantFrom(null, null, new ArrayBuffer(2), 'text')),
  },
  { requiredKeys: [] },
)
const request = fc.option(changes, { nil: {} }).map((changed) => ({
  // Members with values of other types are a part of the test.
  ...createRequestData({ url: 'https://app.test/a', method: 'POST', credentials: 'omit' }),
  ...changed,
}))
const message = fc.record(
  {
    type: mostly(fc.constantFrom('connected', 'owns', 'request', 'hear', 'abort', 'notice', 'response', '__proto__')),
    id: mostly(fc.integer({ min: 0, max: 5 })),
    clientId: mostly(text),
    version: mostly(text),
    request: mostly(request),
    response: mostly(fc.record({ status: mostly(fc.integer({ max: 1000 })), headers, body: anything })),
  },
  { requiredKeys: [] },
)

afterEach(() => {
  vi.restoreAllMocks()
})

it('no message of a worker ends the channel or makes it let a request through', async () => {
  vi.spyOn(console, 'error').mockReturnValue()
  const failures: unknown[] = []
  const noteFailure = (error: unknown): void => void failures.push(error)
  process.on('uncaughtException', noteFailure)
  process.on('unhandledRejection', noteFailure)
  const { port1, port2 } = new MessageChannel()
  const network = new Network([http.all('*', () => new HttpResponse('mocked'))])
  const workers = new Set<string>()
  const channel = new WorkerChannel(port1, network, { keepAlive: new KeepAlive(() => {}), workers })
  const answers: { type: string; id: unknown }[] = []
  let heard: () => void = () => {}
  port2.addEventListener('message', ({ data }: MessageEvent<{ type: string; id: unknown }>) => {
    if (data.id === -1) heard()
    else answers.push(data)
  })
  port2.start()
  const names = Object.getOwnPropertyNames(Object.prototype)
  await fc.assert(
    fc.asyncProperty(fc.oneof({ arbitrary: message, weight: 9 }, { arbitrary: anything, weight: 1 }), async (value) => {
      fc.pre(isCloneable(value))
      const untilHeard = new Promise<void>((resolve) => (heard = resolve))
      port2.postMessage(value)
      port2.postMessage({ type: 'hear', id: -1 })
      await untilHeard
    }),
    fuzzSettings(
      corpus.workerMessages.map((each) => [each] as [unknown]),
      1_500,
    ),
  )
  await vi.waitFor(() => expect(answers.map(({ type }) => type)).toContain('mocked'))
  process.off('uncaughtException', noteFailure)
  process.off('unhandledRejection', noteFailure)
  port1.close()
  expect(failures).toEqual([])
  // Every request is mocked or fails: the handler matches all.
  expect(new Set(answers.map(({ type }) => type))).toEqual(new Set(['heard', 'mocked', 'network-error']))
  expect([...workers].every((id) => typeof id === 'string')).toBe(true)
  expect(channel.clientId === undefined || typeof channel.clientId === 'string').toBe(true)
  expect(Object.getOwnPropertyNames(Object.prototype)).toEqual(names)
})

function isCloneable(value: unknown): boolean {
  try {
    structuredClone(value)
    return true
  } catch {
    return false
  }
}
