import { expect, onTestFinished, test } from 'vitest'

import { getGate } from './gate.ts'
import { useFrames } from './testing/frames.ts'

const page = useFrames()

const url = new URL('./gate-script.ts', import.meta.url).href

let evaluations = 0

/** Evaluates the script in the frame. Each call evaluates it again. */
async function evaluate(): Promise<void> {
  const script = page.scope.document.createElement('script')
  script.type = 'module'
  script.src = `${url}?evaluation=${(evaluations += 1)}`
  await new Promise((resolve, reject) => {
    script.addEventListener('load', resolve)
    script.addEventListener('error', () => reject(new Error(`${script.src} did not load`)))
    page.scope.document.head.append(script)
  })
}

test('installs the gate of the page, once', async () => {
  await evaluate()
  const gate = getGate(page.scope)
  const { fetch } = page.scope
  expect(gate?.state).toBe('held')
  const answer = page.scope.fetch('users')
  await evaluate()

  expect(getGate(page.scope)).toBe(gate)
  expect(page.scope.fetch).toBe(fetch)
  expect(gate?.held).toBe(1)
  expect(Object.keys(page.scope)).not.toContain('understudy')

  gate?.open()
  expect((await answer).status).toBe(200)
  await evaluate()
  expect(page.scope.fetch).toBe(gate?.natives.fetch)
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
