import { expect, test, vi } from 'vitest'

import type { WorkerChannel } from './worker-channel.ts'

vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
// Fake timers do not replace this function, which later() uses.
AbortSignal.timeout = (milliseconds) => {
  const controller = new AbortController()
  setTimeout(() => controller.abort(), milliseconds)
  return controller.signal
}
const serviceWorker = Object.assign(new EventTarget(), { controller: null, startMessages() {} })
vi.stubGlobal('navigator', { serviceWorker })
// The page reads the script of a slow worker.
vi.stubGlobal('fetch', () => new Promise(() => {}))
const { connectTo, createEngine } = await import('./worker-handshake.ts')
const { createTable } = await import('./worker-table.ts')
const { Network } = await import('../../core/network/network.ts')

/** The time after which the worker of the test answers. Longer than the page waits before it asks for an update. */
const late = 500

/** Connects a page to a worker of another version, which answers late, while the server does not answer. */
async function connect(isStarted: boolean): Promise<{ isConnected: boolean }> {
  const scriptURL = 'https://app.test/worker.js'
  const worker = Object.assign(new EventTarget(), { state: 'activated', scriptURL, postMessage() {} })
  const registration = { active: worker, waiting: null, installing: null, update: () => new Promise(() => {}) }
  const network = new Network([])
  const channel = { clientId: undefined as string | undefined, connected: Promise.resolve('') }
  channel.connected = new Promise((resolve) => {
    setTimeout(() => {
      channel.clientId = 'client'
      resolve('0.0.1')
    }, late)
  })
  const result = { isConnected: false }
  void connectTo(
    worker as unknown as ServiceWorker,
    registration as unknown as ServiceWorkerRegistration,
    createEngine(network),
    () => {},
    isStarted,
    { channel: channel as unknown as WorkerChannel, table: createTable(network) },
  ).then((connected) => {
    result.isConnected = 'channel' in connected
  })
  await vi.advanceTimersByTimeAsync(late)
  return result
}

test('a page that mocks uses a worker of another version as soon as it answers, while an update hangs', async () => {
  expect(await connect(true)).toEqual({ isConnected: true })
})

test('a page that starts waits for the update', async () => {
  expect(await connect(false)).toEqual({ isConnected: false })
})
