import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'

import { http, HttpResponse } from '../index.ts'
import { setupServer } from '../node/setup-server.ts'
import { inspect, type Snapshot } from './inspect.ts'

const url = 'http://api.test/user'
const server = setupServer(http.get(url, () => HttpResponse.text('initial')))
const inspection = inspect(server)

beforeAll(() => server.listen({ onUnhandledRequest: 'error' }))
afterEach(() => {
  server.resetHandlers()
  inspection.reset()
})
afterAll(() => server.close())

const read = async (): Promise<string> => (await fetch(url)).text()
const outcomes = (): string[] => inspection.snapshot().requests.map(({ outcome }) => outcome)

test('requests of a process are logged, including unhandled ones', async () => {
  const print = vi.spyOn(console, 'error').mockReturnValue(undefined)
  expect(await read()).toBe('initial')
  await fetch(`${url}s`).catch(() => {})
  expect(outcomes()).toEqual(['network-error', 'mocked'])
  expect(print).toHaveBeenCalledOnce()
  expect(inspection.snapshot().requests[0]).toMatchObject({
    error: expect.stringContaining('no handler matches it'),
    nearest: [{ difference: 'segment 1 differs: `user` expected, `users` sent' }],
  })
  server.listen({ onUnhandledRequest: 'bypass' })
  await fetch('http://localhost:1/users').catch(() => {})
  expect(outcomes()).toEqual(['unhandled', 'network-error', 'mocked'])
  server.listen({ onUnhandledRequest: 'error' })
  print.mockRestore()
})

test('a boundary has its own handlers, and disabling them has no effect outside', async () => {
  const [outside] = inspection.snapshot().handlers
  await server.boundary(async () => {
    server.use(http.get(url, () => HttpResponse.text('inside')))
    const { handlers } = inspection.snapshot()
    expect(handlers).toHaveLength(2)
    expect(handlers.map(({ id }) => id)).not.toContain(outside?.id)
    expect(await read()).toBe('inside')
    inspection.setEnabled(handlers[0]?.id ?? -1, false)
    expect(await read()).toBe('initial')
    inspection.override(handlers[1]?.id ?? -1, { status: 418 })
    expect((await fetch(url)).status).toBe(418)
  })()
  expect(inspection.snapshot().handlers).toEqual([outside])
  expect((await fetch(url)).status).toBe(200)
  expect(outcomes()).toEqual(['mocked', 'mocked', 'mocked', 'mocked'])
})

test('a boundary begins with the outer switches and overrides', async () => {
  const [outside] = inspection.snapshot().handlers
  inspection.override(outside?.id ?? -1, { status: 418 })
  expect(await server.boundary(async () => (await fetch(url)).status)()).toBe(418)
})

test('an inspection that starts in a boundary reports changes outside', async () => {
  const other = setupServer()
  const told = vi.fn<(snapshot: Snapshot) => void>()
  other.boundary(() => inspect(other).subscribe(told))()
  other.use(http.get(url, () => {}))
  await expect.poll(() => told.mock.calls.length).toBe(1)
})
