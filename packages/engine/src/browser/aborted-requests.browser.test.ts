import { afterEach, expect, test, vi } from 'vitest'

import { ClientAbort } from '../core/network/client-abort.ts'
import { Network } from '../core/network/network.ts'
import type { Decision } from '../core/network/outcome.ts'
import { delay } from '../core/responses/delay.ts'
import { http } from '../http/http.ts'
import { createFetch } from './in-page/in-page-fetch.ts'
import { createXMLHttpRequest } from './in-page/xml-http-request/create-xml-http-request.ts'
import { createWorker, type SetupWorker } from './start/setup-worker.ts'

let worker: SetupWorker | undefined
afterEach(() => worker?.stop())

/** Never responds. Records the aborts that resolvers and observers get. */
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

test('an aborted request ends for its resolver and the worker, and observers see no decision', async () => {
  const { network, decisions, heard } = await start()
  const failed = fetch('/never/first').catch((error: unknown) => error)
  await vi.waitFor(() => expect(network.underWay.size).toBe(1))
  const reason = new ClientAbort('The client left.')
  network.abortRequests(reason, () => true)
  expect(await failed).toBeInstanceOf(TypeError)
  expect(heard).toEqual(['/never/first came', '/never/first is over', reason])
  expect(network.underWay.size).toBe(0)
  expect(decisions).toEqual([])
})

test('other requests are not aborted', async () => {
  const { network } = await start()
  const first = fetch('/never/first', { method: 'POST', body: 'text' }).catch((error: unknown) => error)
  await vi.waitFor(() => expect(network.underWay.size).toBe(1))
  const [{ cameAt: firstCameAt } = { cameAt: 0 }] = network.underWay
  await vi.waitFor(() => expect(performance.now()).toBeGreaterThan(firstCameAt))
  const controller = new AbortController()
  const second = fetch('/never/second', { signal: controller.signal }).catch((error: unknown) => error)
  await vi.waitFor(() => expect(network.underWay.size).toBe(2))
  network.abortRequests(new ClientAbort('The client left.'), (cameAt) => cameAt <= firstCameAt)
  expect(await first).toBeInstanceOf(TypeError)
  expect(network.underWay.size).toBe(1)
  controller.abort()
  await second
  network.abortRequests(new ClientAbort('The client left.'), () => true)
  await vi.waitFor(() => expect(network.underWay.size).toBe(0))
})

test('the request of an element is not aborted, because a module that fails to load stays failed', async () => {
  const { network, heard } = await start()
  const image = new Image()
  const failed = vi.fn<() => void>()
  image.addEventListener('error', failed)
  image.src = '/never/image'
  await vi.waitFor(() => expect(heard).toEqual(['/never/image came']))
  // By the time this later request has failed, an abort of the image would have been noticed.
  const failedFetch = fetch('/never/first').catch((error: unknown) => error)
  await vi.waitFor(() => expect(network.underWay.size).toBe(1))
  network.abortRequests(new ClientAbort('The client left.'), () => true)
  await failedFetch
  expect(failed).not.toHaveBeenCalled()
  expect(heard).not.toContain('/never/image is over')
})

test('in the page itself, an aborted XMLHttpRequest ends for its resolver, too', async () => {
  const { network, decisions, heard } = createNetwork()
  const Mocked = createXMLHttpRequest(network, XMLHttpRequest, fetch, () => true)
  const request = new Mocked()
  const events: string[] = []
  for (const type of ['error', 'abort']) request.addEventListener(type, () => events.push(type))
  request.open('GET', '/never/first')
  request.send()
  await vi.waitFor(() => expect(heard).toEqual(['/never/first came']))
  const reason = new ClientAbort('The client left.')
  network.abortRequests(reason, () => true)
  await vi.waitFor(() => expect(events).toEqual(['error']))
  expect(heard).toEqual(['/never/first came', '/never/first is over', reason])
  expect(network.underWay.size).toBe(0)
  expect(decisions).toEqual([])
})

test('in the page itself, a fetch that its own signal aborts ends for its resolver, too', async () => {
  const { network, decisions, heard } = createNetwork()
  const controller = new AbortController()
  const failed = createFetch(network, fetch, () => true)('/never/first', { signal: controller.signal })
  await vi.waitFor(() => expect(heard).toEqual(['/never/first came']))
  const reason = new ClientAbort('The client left.')
  controller.abort(reason)
  await expect(failed).rejects.toBe(reason)
  expect(heard).toEqual(['/never/first came', '/never/first is over', reason])
  expect(decisions).toEqual([])
})
