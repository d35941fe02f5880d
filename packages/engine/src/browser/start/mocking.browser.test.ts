import { afterEach, expect, test } from 'vitest'

import { expose } from './expose.ts'
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

test('sets everything that a test runner needs on the window, if the option is set', () => {
  const mocking = createMocking({ ...options, expose: true })
  expose(mocking)
  const { worker } = mocking
  const exposed = (globalThis as { understudy?: object }).understudy ?? {}
  expect(Object.keys(exposed).sort()).toEqual([
    'HttpResponse',
    'bypass',
    'delay',
    'graphql',
    'http',
    'passthrough',
    'rest',
    'scenario',
    'sse',
    'worker',
    'ws',
  ])
  expect(exposed).toMatchObject({ worker })
  expect((globalThis as { worker?: unknown }).worker).toBe(worker)
})

test('dispatches an event when it exists, before handlers are loaded', () => {
  let seen: unknown
  addEventListener('understudy:exposed', () => (seen = (globalThis as { worker?: unknown }).worker), { once: true })
  const mocking = createMocking({ ...options, expose: true })
  expose(mocking)
  expect(seen).toBe(mocking.worker)
})

test('shows an error if the module exports a policy that does not exist', async () => {
  const errors: string[] = []
  const showError = ({ message }: Error): void => void errors.push(message)
  const mocking = createMocking({ ...options, expose: false, isAlone: true, showError })
  const wrong: object = { handlers: [], onUnhandledRequest: 'fail' }
  expect(await mocking.take(wrong)).toBe(false)
  expect(errors.join()).toContain('Failed to read the option "onUnhandledRequest": "fail" is not a valid strategy.')
})

test.each([
  [undefined, 'Error: undefined. Fix'],
  ['no seed', 'Error: no seed. Fix'],
])('shows what a module threw, without a place if it is %s', (thrown, shown) => {
  const errors: string[] = []
  const showError = ({ message }: Error): void => void errors.push(message)
  createMocking({ ...options, expose: false, isAlone: true, showError }).fail(thrown)
  expect(errors.join()).toContain(shown)
})
