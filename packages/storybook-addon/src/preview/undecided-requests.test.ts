import { bypass, graphql, http, HttpResponse, passthrough } from '@understudy/engine'
import { Network } from '@understudy/engine/internal/page'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'

import { getPageState } from '../../../engine/src/browser/gate/gate.ts'
import { handleRequest } from '../../../engine/src/core/network/handle-request.ts'
import { addRun, removeRun, type StoryRun } from './story-run.ts'
import { noteRequest, untilDecided, watchDecisions } from './undecided-requests.ts'

const createRun = (onUnhandledRequest?: 'error'): StoryRun =>
  ({ onUnhandledRequest, ending: new AbortController() }) as StoryRun

let run: StoryRun

beforeEach(() => {
  vi.stubGlobal('document', { baseURI: 'http://localhost/app/' })
  run = createRun('error')
  addRun(run)
})
afterEach(() => {
  run.ending.abort()
  removeRun(run)
  vi.unstubAllGlobals()
})

/** Returns whether the wait has ended, after all work that is due now. */
async function hasEnded(wait: Promise<void>): Promise<boolean> {
  let isEnded = false
  void wait.then(() => (isEnded = true))
  await new Promise((resolve) => setTimeout(resolve))
  return isEnded
}

test('a story without requests does not wait', async () => {
  expect(await hasEnded(untilDecided(run))).toBe(true)
})

test('a story waits for the end of its requests', async () => {
  const [first, second] = [noteRequest('GET', '/a'), noteRequest('GET', 'https://api.example/b')]
  const wait = untilDecided(run)
  first?.()
  expect(await hasEnded(wait)).toBe(false)
  second?.()
  expect(await hasEnded(wait)).toBe(true)
})

test('a story waits for requests that are held while its handlers change', async () => {
  const gate = { held: 1 }
  Object.assign(getPageState(), { gate })
  try {
    const wait = untilDecided(run)
    expect(await hasEnded(wait)).toBe(false)
    const settle = noteRequest('GET', '/held')
    gate.held = 0
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect(await hasEnded(wait)).toBe(false)
    settle?.()
    expect(await hasEnded(wait)).toBe(true)
  } finally {
    delete getPageState().gate
  }
})

test('a story does not wait for requests that stay held after it has ended', async () => {
  Object.assign(getPageState(), { gate: { held: 1 } })
  try {
    const wait = untilDecided(run)
    run.ending.abort()
    await expect(wait).resolves.toBeUndefined()
  } finally {
    delete getPageState().gate
  }
})

test('a story does not wait for the response of a request that a handler matches', async () => {
  const network = new Network([http.all('*', () => new Promise<never>(() => {}))])
  watchDecisions(network, run)
  noteRequest('post', 'user?a=1#b')
  const wait = untilDecided(run)
  const send = (method: string, url: string): void => void handleRequest(new Request(url, { method }), network)
  send('GET', 'http://localhost/app/user?a=1')
  send('POST', 'http://localhost/app/user')
  expect(await hasEnded(wait)).toBe(false)
  send('POST', 'http://localhost/app/user?a=1')
  expect(await hasEnded(wait)).toBe(true)
})

test('a story does not wait for the real response of a request that no handler answers', async () => {
  const network = new Network([http.get('/passed', () => passthrough())])
  watchDecisions(network, run)
  const urls = ['http://localhost/passed', 'http://localhost/logo.png', 'http://localhost/bypassed']
  for (const url of urls) noteRequest('GET', url)
  const wait = untilDecided(run)
  expect(await hasEnded(wait)).toBe(false)
  const [passed = '', asset = '', bypassed = ''] = urls
  for (const request of [new Request(passed), new Request(asset), bypass(new Request(bypassed))]) {
    void handleRequest(request, network)
  }
  expect(await hasEnded(wait)).toBe(true)
})

describe('a batch of GraphQL operations', () => {
  const endpoint = 'http://localhost/graphql'
  const slow = graphql.query('Slow', () => new Promise<never>(() => {}))
  const send = (network: Network, ...names: string[]): void => {
    const body = JSON.stringify(names.map((name) => ({ query: `query ${name} { a }` })))
    const headers = { 'Content-Type': 'application/json' }
    void handleRequest(new Request(endpoint, { method: 'POST', headers, body }), network)
  }

  test('a story waits until its unhandled operation is reported, and not for the responses of the others', async () => {
    const asked = Promise.withResolvers<void>()
    const predicate = graphql.query(
      () => asked.promise.then(() => false),
      () => new HttpResponse(),
    )
    const network = new Network([slow, predicate])
    const unhandled: string[] = []
    network.events.on('request:unhandled', async ({ request }) => {
      unhandled.push(await request.text())
    })
    watchDecisions(network, run)
    noteRequest('POST', endpoint)
    const wait = untilDecided(run)
    send(network, 'Slow', 'Unknown')
    expect(await hasEnded(wait)).toBe(false)
    expect(unhandled).toEqual([])
    asked.resolve()
    expect(await hasEnded(wait)).toBe(true)
    expect(unhandled).toEqual([JSON.stringify({ query: 'query Unknown { a }' })])
  })

  test('a story does not wait for the responses of a batch whose operations all have a handler', async () => {
    const network = new Network([slow])
    watchDecisions(network, run)
    noteRequest('POST', endpoint)
    const wait = untilDecided(run)
    send(network, 'Slow', 'Slow')
    expect(await hasEnded(wait)).toBe(true)
  })

  test('a story waits for the decision about a batch that no handler matches', async () => {
    const network = new Network([slow])
    watchDecisions(network, run)
    noteRequest('POST', endpoint)
    const wait = untilDecided(run)
    send(network, 'Unknown', 'Other')
    expect(await hasEnded(wait)).toBe(true)
  })
})

test('each request ends the wait for one request only, also if several stories are rendered', async () => {
  const network = new Network([http.all('*', () => new HttpResponse())])
  const other = createRun('error')
  addRun(other)
  for (const each of [run, other]) watchDecisions(network, each)
  for (const url of ['/user', '/user']) noteRequest('GET', url)
  const wait = untilDecided(run)
  await handleRequest(new Request('http://localhost/user'), network)
  expect(await hasEnded(wait)).toBe(false)
  await handleRequest(new Request('http://localhost/user'), network)
  expect(await hasEnded(wait)).toBe(true)
  removeRun(other)
  other.ending.abort()
})

test('a story that ends does not wait', async () => {
  noteRequest('GET', '/a')
  const wait = untilDecided(run)
  expect(await hasEnded(wait)).toBe(false)
  run.ending.abort()
  expect(await hasEnded(wait)).toBe(true)
  expect(await hasEnded(untilDecided(run))).toBe(true)
})

test('requests of a story that unhandled requests do not fail are not noted', () => {
  removeRun(run)
  const other = createRun()
  addRun(other)
  expect(noteRequest('GET', '/a')).toBeUndefined()
  removeRun(other)
})
