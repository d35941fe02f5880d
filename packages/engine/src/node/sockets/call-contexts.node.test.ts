import { AsyncLocalStorage } from 'node:async_hooks'
import { channel } from 'node:diagnostics_channel'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

import { request } from 'undici'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'

import { http, HttpResponse } from '../../index.ts'
import { setupServer } from '../setup-server.ts'
import { contextOf } from './call-contexts.ts'

const backend = createServer((_request, response) => response.end('real'))
const server = setupServer(http.get('http://api.test/user', () => HttpResponse.text('mocked')))
let url = ''

beforeAll(async () => {
  await once(backend.listen(0), 'listening')
  url = `http://localhost:${(backend.address() as AddressInfo).port}/`
  server.listen({ onUnhandledRequest: 'bypass' })
})
afterEach(() => vi.restoreAllMocks())
afterAll(() => {
  server.close()
  backend.close()
})

test('a fetch that goes to the network takes no snapshot of its context', async () => {
  const snapshot = vi.spyOn(AsyncLocalStorage, 'snapshot')
  expect(await (await fetch(url)).text()).toBe('real')
  expect(snapshot).not.toHaveBeenCalled()
  // Otherwise this test would pass if snapshots were taken in another way.
  expect(await (await request('http://api.test/user')).body.text()).toBe('mocked')
  expect(snapshot).toHaveBeenCalled()
})

test('requests of a subscriber of undici’s channel keep their context', async () => {
  const storage = new AsyncLocalStorage<string>()
  const seen: unknown[] = []
  const read = (message: unknown): void => {
    const { request: made } = message as { request: { path: string } }
    if (made.path === '/user') seen.push(contextOf(made)?.(() => storage.getStore()))
  }
  let inner: Promise<unknown> | undefined
  let isAsked = false
  const ask = (): void => {
    if (isAsked) return
    isAsked = true
    inner = storage.run('inner', () => request('http://api.test/user').then(({ body }) => body.text()))
  }
  const created = channel('undici:request:create')
  for (const listener of [read, ask]) created.subscribe(listener)
  expect(await (await fetch(url)).text()).toBe('real')
  for (const listener of [read, ask]) created.unsubscribe(listener)
  expect(await inner).toBe('mocked')
  expect(seen).toEqual(['inner'])
})
