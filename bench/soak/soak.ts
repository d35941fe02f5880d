/**
 * Makes 200,000 mocked requests by each client, and tells what they leave behind: `node --expose-gc soak.ts [count]`.
 * Ends with an error where memory grows by more than a hundred bytes for each request, or where a handle is left.
 */
import http from 'node:http'

import { http as mock, HttpResponse } from '@understudy/engine'
import { setupServer } from '@understudy/engine/node'
import { Agent, request } from 'undici'

const count = Number(process.argv[2] ?? 200_000)
const url = 'http://api.test/user'
const server = setupServer(mock.get(url, () => HttpResponse.json({ name: 'Ada' })))

function get(agent: http.Agent): Promise<void> {
  return new Promise((resolve, reject) => {
    http.get(url, { agent }, (message) => message.resume().on('end', resolve)).on('error', reject)
  })
}

const keeping = new http.Agent({ keepAlive: true })
const dropping = new http.Agent({ keepAlive: false })
const dispatcher = new Agent()
const clients: Record<string, () => Promise<unknown>> = {
  fetch: async () => (await fetch(url)).text(),
  'http, connections are kept': () => get(keeping),
  'http, connections are not kept': () => get(dropping),
  undici: async () => (await request(url, { dispatcher })).body.text(),
}

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
for (const [name, run] of Object.entries(clients)) {
  await repeat(Math.min(5000, count), run)
  const before = await heapInUse()
  await repeat(count, run)
  const growth = ((await heapInUse()) - before) / count
  console.log(`${name}: ${growth.toFixed(1)} bytes for each request`)
  if (growth > 100) process.exitCode = 1
}
server.close()
keeping.destroy()
dropping.destroy()
await dispatcher.close()
await nextTurn()
const left = countHandles() - handlesBefore
console.log(`handles that are left: ${left}`)
if (left > 0) process.exitCode = 1

function countHandles(): number {
  return process.getActiveResourcesInfo().filter((name) => /TCP|Pipe|TLS/.test(name)).length
}
