import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import { cdp } from 'vitest/browser'

import { getGate, type PageScope } from './gate.ts'
import { startArrivalServer, type ArrivalServer } from './testing/arrivals.ts'

let server: ArrivalServer
let scope: PageScope

beforeAll(async () => {
  server = await startArrivalServer(cdp())
})
beforeEach(async () => {
  scope = await server.openFrame()
})
afterAll(() => server.close())

const url = new URL('./gate-script.ts', import.meta.url).href

let evaluations = 0

/** Evaluates the script in the frame. Each call evaluates it again. */
async function evaluate(): Promise<void> {
  const script = scope.document.createElement('script')
  script.type = 'module'
  script.src = `${url}?evaluation=${(evaluations += 1)}`
  await new Promise((resolve, reject) => {
    script.addEventListener('load', resolve)
    script.addEventListener('error', () => reject(new Error(`${script.src} did not load`)))
    scope.document.head.append(script)
  })
}

test('installs the gate of the page, once', async () => {
  await evaluate()
  const gate = getGate(scope)
  const { fetch } = scope
  expect(gate?.state).toBe('held')
  const answer = scope.fetch('users')
  await evaluate()

  expect(getGate(scope)).toBe(gate)
  expect(scope.fetch).toBe(fetch)
  expect(gate?.held).toBe(1)
  expect(Object.keys(scope)).not.toContain('understudy')

  gate?.open()
  expect((await answer).status).toBe(200)
  await evaluate()
  expect(scope.fetch).toBe(gate?.natives.fetch)
})

test('does nothing in a worker', async () => {
  const code = `import ${JSON.stringify(url)}; postMessage(Symbol.for('understudy') in globalThis)`
  const worker = new Worker(URL.createObjectURL(new Blob([code], { type: 'text/javascript' })), { type: 'module' })
  onTestFinished(() => worker.terminate())

  const isThere = await new Promise((resolve, reject) => {
    worker.addEventListener('message', ({ data }) => resolve(data))
    worker.addEventListener('error', () => reject(new Error('The worker failed.')))
  })
  expect(isThere).toBe(false)
})
