import { afterAll, beforeAll, expect, test } from 'vitest'

import { setupWorker } from '../browser/start/setup-worker.ts'
import { http, HttpResponse } from '../index.ts'
import { inspect } from './inspect.ts'

const worker = setupWorker(http.get('/inspected', () => HttpResponse.text('mocked')))
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
    handlers: [{ hits: 1 }],
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
