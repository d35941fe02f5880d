import { afterEach, expect, test } from 'vitest'

import { createMocking } from './mocking.ts'

const options = {
  file: 'src/mocks/handlers.ts',
  worker: { url: '/understudy-worker.js' },
  onUnhandledRequest: 'bypass',
  quiet: true,
  showError: () => {},
} as const

afterEach(() => {
  Reflect.deleteProperty(globalThis, 'understudy')
  Reflect.deleteProperty(globalThis, 'worker')
})

test('puts all that a test runner needs on the window, where it is asked to', () => {
  const { worker } = createMocking({ ...options, expose: true })
  const exposed = (globalThis as { understudy?: object }).understudy ?? {}
  expect(Object.keys(exposed).sort()).toEqual([
    'HttpResponse',
    'bypass',
    'delay',
    'graphql',
    'http',
    'passthrough',
    'rest',
    'sse',
    'worker',
    'ws',
  ])
  expect(exposed).toMatchObject({ worker })
  expect((globalThis as { worker?: unknown }).worker).toBe(worker)
})

test('tells by an event that it is there, before handlers are loaded', () => {
  let seen: unknown
  addEventListener('understudy:exposed', () => (seen = (globalThis as { worker?: unknown }).worker), { once: true })
  const { worker } = createMocking({ ...options, expose: true })
  expect(seen).toBe(worker)
})

test('puts nothing there otherwise', () => {
  createMocking({ ...options, expose: false })
  expect('understudy' in globalThis || 'worker' in globalThis).toBe(false)
})
