import { http } from '@understudy/engine'
import { Network } from '@understudy/engine/internal/page'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'

import { createTrackedXMLHttpRequest, endRequestsOf } from './pending-requests.ts'
import { addRun, removeRun, type StoryRun } from './story-run.ts'
import { untilDecided } from './undecided-requests.ts'

const network = new Network([http.all('*', () => undefined)])
const Tracked = createTrackedXMLHttpRequest(network, XMLHttpRequest)

let run: StoryRun

beforeEach(() => {
  run = { beganAt: 0, onUnhandledRequest: 'error', ending: new AbortController() } as StoryRun
  addRun(run)
})
afterEach(() => {
  run.ending.abort()
  removeRun(run)
})

/** Opens a request whose response takes longer than the test. */
function openSlow(): XMLHttpRequest {
  const client = new Tracked()
  client.open('GET', '/slow')
  return client
}

/** Returns whether the story waits for a request. */
async function isWaiting(): Promise<boolean> {
  let hasEnded = false
  void untilDecided(run).then(() => (hasEnded = true))
  // Only microtasks, because a response may arrive in a task.
  for (let count = 0; count < 20; count += 1) await Promise.resolve()
  return !hasEnded
}

test('a story waits for the end of an XMLHttpRequest', async () => {
  const client = openSlow()
  client.send()
  const ended = new Promise((resolve) => client.addEventListener('loadend', resolve))
  expect(await isWaiting()).toBe(true)
  await ended
  expect(await isWaiting()).toBe(false)
})

test('a story does not wait for a request that could not be sent', async () => {
  expect(() => new Tracked().send()).toThrow('must be OPENED')
  expect(await isWaiting()).toBe(false)
})

test('a story does not wait for a synchronous request that failed', async () => {
  const client = new Tracked()
  client.open('GET', 'http://localhost:1/', false)
  expect(() => client.send()).toThrow('Failed to load')
  expect(await isWaiting()).toBe(false)
})

test('a story does not wait for a request that another one of the same object replaced', async () => {
  const client = openSlow()
  client.send()
  expect(await isWaiting()).toBe(true)
  client.open('GET', '/other')
  expect(await isWaiting()).toBe(false)
})

test('an error of open() or of a second send() leaves the request under way', async () => {
  const client = openSlow()
  client.send()
  expect(() => client.open('GET', 'http://')).toThrow('Invalid URL')
  expect(() => client.send()).toThrow('must be OPENED')
  expect(await isWaiting()).toBe(true)
  client.open('GET', '/other')
  expect(await isWaiting()).toBe(false)
})

test('a request that is sent by a listener during open() is waited for', async () => {
  const client = new Tracked()
  client.addEventListener('readystatechange', () => client.readyState === 1 && client.send(), { once: true })
  client.open('GET', '/slow')
  expect(await isWaiting()).toBe(true)
})

test('the end of a story does not abort a later request of the object', () => {
  const client = openSlow()
  client.send()
  const abort = vi.spyOn(client, 'abort')
  client.open('GET', '/other')
  removeRun(run)
  endRequestsOf(run, network)
  expect(abort).not.toHaveBeenCalled()
})
