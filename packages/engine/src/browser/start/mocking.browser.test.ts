import { afterEach, expect, test } from 'vitest'

import { getPageState } from '../gate/gate.ts'
import type { LocatingPage } from '../reports/locate-printed.ts'
import { expose } from './expose.ts'
import { createMocking } from './mocking.ts'

const options = {
  file: 'src/mocks/handlers.ts',
  worker: { url: '/understudy-worker.js' },
  onUnhandledRequest: 'bypass',
  quiet: true,
  showError: () => {},
} as const

const page: LocatingPage = getPageState()

afterEach(() => {
  Reflect.deleteProperty(globalThis, 'understudy')
  Reflect.deleteProperty(globalThis, 'worker')
  delete page.locateLines
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

/** A module that throws in a file of a bundler's output. */
const failed = Object.assign(new Error('no seed'), { stack: 'Error: no seed\n    at webpack://app/./src/a.js?:13:1' })

test('shows where a module threw when the dev server has said it', () => {
  const shown: string[] = []
  page.locateLines = (write) => (place) => write(place.replace(/^webpack.*$/, 'src/a.ts:6:1'))
  const showError = ({ message, stack }: Error): void => void shown.push(message, String(stack))
  createMocking({ ...options, expose: false, isAlone: true, showError }).fail(failed)
  expect(shown[0]).toContain('Error: no seed (at src/a.ts:6:1). Fix')
  expect(shown[1]).toBe('Error: no seed\n    at src/a.ts:6:1')
})

test('does not show an error whose position arrives after other handlers were loaded', async () => {
  const shown: string[] = []
  let say: (() => void) | undefined
  page.locateLines = (write) => (place) => (say = () => write(place))
  const showError = ({ message }: Error): void => void shown.push(message)
  const mocking = createMocking({ ...options, expose: false, isAlone: true, showError })
  mocking.fail(failed)
  const wrong: object = { handlers: [undefined] }
  expect(await mocking.take(wrong)).toBe(false)
  expect(shown).toHaveLength(1)
  say?.()
  expect(shown).toHaveLength(1)
  expect(shown[0]).not.toContain('no seed')
})
