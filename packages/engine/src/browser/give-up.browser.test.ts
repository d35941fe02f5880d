import { afterEach, expect, test, vi } from 'vitest'

import { GivenUp } from '../core/network/given-up.ts'
import { Network } from '../core/network/network.ts'
import type { Decision } from '../core/network/outcome.ts'
import { delay } from '../core/responses/delay.ts'
import { http } from '../http/http.ts'
import { createWorker, type SetupWorker } from './setup-worker.ts'

let worker: SetupWorker | undefined
afterEach(() => worker?.stop())

/** Answers nothing; tells what resolvers and observers heard. */
async function start(): Promise<{ network: Network; decisions: Decision[]; heard: unknown[] }> {
  const decisions: Decision[] = []
  const heard: unknown[] = []
  const network = new Network([
    http.all('/never/*', async ({ request, finalize }) => {
      const { pathname } = new URL(request.url)
      heard.push(`${pathname} came`)
      finalize(() => heard.push(`${pathname} is over`))
      request.signal.addEventListener('abort', () => heard.push(request.signal.reason))
      await delay('infinite')
    }),
  ])
  network.observe((decision) => decisions.push(decision))
  worker = createWorker(network)
  await worker.start({ quiet: true, onUnhandledRequest: 'bypass' })
  return { network, decisions, heard }
}

test('a request that is given up is over for its resolver and the worker, and for nobody else', async () => {
  const { network, decisions, heard } = await start()
  const failed = fetch('/never/first').catch((error: unknown) => error)
  await vi.waitFor(() => expect(network.underWay.size).toBe(1))
  const reason = new GivenUp('Nobody waits.')
  network.giveUp(reason, () => true)
  expect(await failed).toBeInstanceOf(TypeError)
  expect(heard).toEqual(['/never/first came', '/never/first is over', reason])
  expect(network.underWay.size).toBe(0)
  expect(decisions).toEqual([])
})

test('others stay', async () => {
  const { network } = await start()
  const first = fetch('/never/first', { method: 'POST', body: 'text' }).catch((error: unknown) => error)
  await vi.waitFor(() => expect(network.underWay.size).toBe(1))
  const [{ cameAt: firstCameAt } = { cameAt: 0 }] = network.underWay
  await vi.waitFor(() => expect(performance.now()).toBeGreaterThan(firstCameAt))
  const controller = new AbortController()
  const second = fetch('/never/second', { signal: controller.signal }).catch((error: unknown) => error)
  await vi.waitFor(() => expect(network.underWay.size).toBe(2))
  network.giveUp(new GivenUp('Nobody waits.'), (cameAt) => cameAt <= firstCameAt)
  expect(await first).toBeInstanceOf(TypeError)
  expect(network.underWay.size).toBe(1)
  controller.abort()
  await second
  network.giveUp(new GivenUp('Nobody waits.'), () => true)
  await vi.waitFor(() => expect(network.underWay.size).toBe(0))
})

test('what an element requests is not given up: a module that failed would stay so', async () => {
  const { network, heard } = await start()
  const image = new Image()
  const failed = vi.fn<() => void>()
  image.addEventListener('error', failed)
  image.src = '/never/image'
  await vi.waitFor(() => expect(heard).toEqual(['/never/image came']))
  // Whoever hears of this one's end would have heard of the image's.
  const failedFetch = fetch('/never/first').catch((error: unknown) => error)
  await vi.waitFor(() => expect(network.underWay.size).toBe(1))
  network.giveUp(new GivenUp('Nobody waits.'), () => true)
  await failedFetch
  expect(failed).not.toHaveBeenCalled()
  expect(heard).not.toContain('/never/image is over')
})
