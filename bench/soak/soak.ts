/**
 * Makes 200,000 mocked requests with each client, and prints the memory and handles that remain: `node --expose-gc
 * soak.ts [count] [client…]`.
 * Ends with an error if memory grows by more than a hundred bytes for each request, or if a handle remains.
 */
import { http, HttpResponse, ws } from '@understudy/engine'
import { setupServer } from '@understudy/engine/node'

import { countHandles, createSoakClients, soakSocketUrl, soakUrl } from './soak-clients.ts'

const [, , countText = '200000', ...names] = process.argv
const count = Number(countText)
const server = setupServer(
  http.get(soakUrl, () => HttpResponse.json({ name: 'Ada' })),
  ws.link(soakSocketUrl).addEventListener('connection', ({ client }) => client.send('hello')),
)

async function repeat(times: number, run: () => Promise<unknown>): Promise<void> {
  for (let turn = 0; turn < times; turn += 1) {
    await run()
    if (turn % 50 === 0) await nextTurn()
  }
}

async function heapInUse(): Promise<number> {
  for (let turn = 0; turn < 5; turn += 1) {
    globalThis.gc?.()
    await nextTurn()
  }
  return process.memoryUsage().heapUsed
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve)
  })
}

if (!globalThis.gc) throw new Error('Failed to measure memory: there is no gc(). Run node with --expose-gc.')
const handlesBefore = countHandles()
server.listen({ onUnhandledRequest: 'error' })
for (const [name, run] of Object.entries(createSoakClients())) {
  if (names.length > 0 && !names.includes(name)) continue
  await repeat(Math.min(5000, count), run)
  const before = await heapInUse()
  await repeat(count, run)
  const growth = ((await heapInUse()) - before) / count
  console.log(`${name}: ${growth.toFixed(1)} bytes for each request`)
  if (growth > 100) process.exitCode = 1
}
server.close()
await nextTurn()
const left = countHandles() - handlesBefore
console.log(`handles that are left: ${left}`)
if (left > 0) process.exitCode = 1
