import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

import { http, HttpResponse, ws } from '@understudy/engine'
import { setupServer } from '@understudy/engine/node'
import { afterEach, beforeAll, expect, test } from 'vitest'

import { countHandles, createSoakClients, soakSocketUrl, soakUrl } from '../../bench/soak/soak-clients.ts'

const server = setupServer(
  http.get(soakUrl, () => HttpResponse.json({ name: 'Ada' })),
  ws.link(soakSocketUrl).addEventListener('connection', ({ client }) => client.send('hello')),
)
let collectGarbage: () => void

beforeAll(() => {
  setFlagsFromString('--expose-gc')
  collectGarbage = runInNewContext('gc') as () => void
})
afterEach(() => server.close())

function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve)
  })
}

/** Waits some turns of the event loop, which finalizers need. */
async function heapInUse(): Promise<number> {
  for (let turn = 0; turn < 5; turn += 1) {
    collectGarbage()
    await nextTurn()
  }
  return process.memoryUsage().heapUsed
}

async function repeat(times: number, run: () => Promise<unknown>): Promise<void> {
  for (let turn = 0; turn < times; turn += 1) await run()
}

const count = 800
/** A connection that is not released takes 18,000 bytes. `bench/soak` measures exactly. */
const limit = 2000

test.each(Object.entries(createSoakClients()))(
  '%s: memory stays flat, and no handle is left after close()',
  { timeout: 120_000 },
  async (_name, run) => {
    const handles = countHandles()
    server.listen({ onUnhandledRequest: 'error' })
    await repeat(count / 4, run)
    const before = await heapInUse()
    await repeat(count, run)
    expect(((await heapInUse()) - before) / count).toBeLessThan(limit)
    server.close()
    await nextTurn()
    expect(countHandles()).toBeLessThanOrEqual(handles)
  },
)
