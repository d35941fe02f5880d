import { afterEach, beforeEach, expect, test, vi } from 'vitest'

import type { Gate } from '../gate/gate.ts'

vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
// Fake timers do not replace this function, which later() uses.
AbortSignal.timeout = (milliseconds) => {
  const controller = new AbortController()
  setTimeout(() => controller.abort(), milliseconds)
  return controller.signal
}
const { getPageState } = await import('../gate/gate.ts')
const { TableSync } = await import('./table-sync.ts')
const { createEngine } = await import('./worker-handshake.ts')
const { Network } = await import('../../core/network/network.ts')
const { http, HttpResponse } = await import('../../index.ts')

const user = http.get('https://app.test/user', () => HttpResponse.json({}))
const sameUser = http.get('https://app.test/user', () => HttpResponse.json({ name: 'Ada' }))
const title = http.get('https://app.test/title', () => HttpResponse.json({}))

/** The ids and routes of each table that was sent. */
let sent: { readonly parts: readonly { readonly id: number; readonly routes?: readonly object[] }[] }[]
let network: InstanceType<typeof Network>
let table: InstanceType<typeof TableSync>
let calls: ('hold' | 'open' | 'reconnect')[]
let answer: { isIncomplete: boolean } | undefined

beforeEach(() => {
  sent = []
  calls = []
  answer = { isIncomplete: false }
  const active = {
    postMessage({ table: message }: { table: (typeof sent)[0] }, [port]: MessagePort[]) {
      sent.push(message)
      if (answer) port?.postMessage(answer)
    },
  }
  const gate = { replacements: {}, hold: () => calls.push('hold'), open: () => calls.push('open') }
  getPageState().gate = gate as unknown as Gate
  network = new Network([user])
  const registration = { active } as unknown as ServiceWorkerRegistration
  table = new TableSync(registration, createEngine(network), () => {
    calls.push('reconnect')
    return Promise.resolve()
  })
  table.isStarted = true
  network.onChange(() => table.send())
})

afterEach(() => {
  delete getPageState().gate
})

async function start(): Promise<void> {
  table.send()
  await table.lastChange
  sent = []
  calls = []
}

test('requests are held until the worker has a new route', async () => {
  await start()
  network.layers.use([title])
  expect(calls).toEqual(['hold'])
  await table.lastChange
  expect(calls).toEqual(['hold', 'open'])
  expect(sent.map(({ parts }) => parts.filter(({ routes }) => routes).length)).toEqual([1])
})

test('requests are held until the page has connected again, if the worker does not answer', async () => {
  await start()
  answer = undefined
  network.layers.use([title])
  await vi.advanceTimersByTimeAsync(60_000)
  expect(calls).toEqual(['hold', 'reconnect', 'open'])
})

test('a page that has stopped mocking does not connect again', async () => {
  await start()
  answer = { isIncomplete: true }
  network.layers.use([title])
  table.known = undefined
  await vi.advanceTimersByTimeAsync(60_000)
  expect(calls).toEqual(['hold', 'open'])
})

test('an ended connection neither opens the gate nor holds requests', async () => {
  await start()
  network.layers.use([title])
  const { lastChange } = table
  table.end()
  network.layers.use([http.get('https://app.test/third', () => HttpResponse.text(''))])
  await lastChange
  expect(calls).toEqual(['hold'])
})

test('handlers with the routes of other handlers are not sent, and hold no request', async () => {
  await start()
  network.layers.use([sameUser])
  await vi.advanceTimersByTimeAsync(1000)
  expect(sent).toEqual([])
  expect(calls).toEqual([])
})

test('the worker keeps the routes of removed handlers for some time, so that the next handlers hold no request', async () => {
  const [first, second] = [{}, {}]
  await start()
  network.layers.install(first, [title])
  await table.lastChange
  sent = []
  calls = []
  network.layers.remove(first)
  network.layers.install(second, [http.get('https://app.test/title', () => HttpResponse.text(''))])
  await vi.advanceTimersByTimeAsync(1000)
  expect(sent).toEqual([])
  expect(calls).toEqual([])
})

test('the worker loses the routes of removed handlers without new ones, and then gets them again', async () => {
  await start()
  network.layers.use([title])
  await table.lastChange
  sent = []
  calls = []
  network.layers.reset()
  expect(sent).toEqual([])
  await vi.advanceTimersByTimeAsync(1000)
  expect(sent.map(({ parts }) => parts.length)).toEqual([1])
  expect(calls).toEqual([])
  network.layers.use([title])
  expect(calls).toEqual(['hold'])
})

test('an ended connection sends no table', async () => {
  await start()
  network.layers.use([title])
  await table.lastChange
  sent = []
  network.layers.reset()
  table.known = undefined
  await vi.advanceTimersByTimeAsync(1000)
  expect(sent).toEqual([])
})
