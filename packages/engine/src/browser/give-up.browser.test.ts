import { afterEach, expect, test, vi } from 'vitest'

import { GivenUp } from '../core/network/given-up.ts'
import { Network } from '../core/network/network.ts'
import type { Decision } from '../core/network/outcome.ts'
import { delay } from '../core/responses/delay.ts'
import { http } from '../http/http.ts'
import { createFetch } from './in-page-fetch.ts'
import { createWorker, type SetupWorker } from './setup-worker.ts'
import { createXMLHttpRequest } from './xml-http-request/create-xml-http-request.ts'

let worker: SetupWorker | undefined
afterEach(() => worker?.stop())

/** Answers nothing; tells what resolvers and observers heard. */
function createNetwork(): { network: Network; decisions: Decision[]; heard: unknown[] } {
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
  return { network, decisions, heard }
}

async function start(): Promise<ReturnType<typeof createNetwork>> {
  const created = createNetwork()
  worker = createWorker(created.network)
  await worker.start({ quiet: true, onUnhandledRequest: 'bypass' })
  return created
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

test('so it is in the page itself: with an XMLHttpRequest', async () => {
  const { network, decisions, heard } = createNetwork()
  const Mocked = createXMLHttpRequest(network, XMLHttpRequest, fetch, () => true)
  const request = new Mocked()
  const events: string[] = []
  for (const type of ['error', 'abort']) request.addEventListener(type, () => events.push(type))
  request.open('GET', '/never/first')
  request.send()
  await vi.waitFor(() => expect(heard).toEqual(['/never/first came']))
  const reason = new GivenUp('Nobody waits.')
  network.giveUp(reason, () => true)
  await vi.waitFor(() => expect(events).toEqual(['error']))
  expect(heard).toEqual(['/never/first came', '/never/first is over', reason])
  expect(network.underWay.size).toBe(0)
  expect(decisions).toEqual([])
})

test('and with a fetch, whose own signal says so', async () => {
  const { network, decisions, heard } = createNetwork()
  const controller = new AbortController()
  const failed = createFetch(network, fetch, () => true)('/never/first', { signal: controller.signal })
  await vi.waitFor(() => expect(heard).toEqual(['/never/first came']))
  const reason = new GivenUp('Nobody waits.')
  controller.abort(reason)
  await expect(failed).rejects.toBe(reason)
  expect(heard).toEqual(['/never/first came', '/never/first is over', reason])
  expect(decisions).toEqual([])
})
