import { HttpResponse, http } from '@understudy/engine'
import { Network } from '@understudy/engine/internal/page'
import { expect, test, vi } from 'vitest'

import { afterEach, beforeEach, loaders } from './annotations.ts'
import type { UnderstudyParameters } from './parameters.ts'
import { liveRuns } from './story-run.ts'
import { noteRequest } from './undecided-requests.ts'

const mocking = vi.hoisted((): { current?: unknown } => ({}))
vi.mock('./page-mocking.ts', () => ({
  getPageMocking: () => mocking.current,
  locateText: (text: string) => text.replace('bundle.js:7:1', 'src/a.ts:3:1'),
}))

type Context = Parameters<Extract<typeof afterEach, (...args: never[]) => unknown>>[0]

/** Renders a story up to its `afterEach`. */
async function render(
  name: string,
  parameters: UnderstudyParameters['understudy'] = {},
  inspection: object = { snapshot: () => ({}) },
): Promise<{ context: Context; leave: () => void; unhandled: () => void }> {
  const network = new Network([http.get('/user', () => new HttpResponse())])
  const worker = { cookies: { clear() {} } }
  mocking.current = { network, worker, inspection: { clear() {}, ...inspection }, scenarios: [], update() {} }
  const rendering = new AbortController()
  const context = {
    id: name,
    name,
    title: 'User',
    viewMode: 'story',
    abortSignal: rendering.signal,
    args: {},
    globals: {},
    parameters: { understudy: { onUnhandledRequest: 'error', ...parameters } },
  } as unknown as Context
  await (loaders as ((context: Context) => unknown)[])[0]?.(context)
  const cleanUp = (beforeEach as (context: Context) => () => void)(context)
  const [run] = liveRuns()
  return {
    context,
    leave() {
      rendering.abort()
      cleanUp()
    },
    unhandled: () => void run?.unhandled.push('GET /unknown, near: bundle.js:7:1'),
  }
}

const checkStory = afterEach as (context: Context) => Promise<void>

test('a story with an unhandled request fails', async () => {
  const { context, leave, unhandled } = await render('Fails')
  unhandled()
  const checked = checkStory(context)
  await expect(checked).rejects.toThrow('The story "User/Fails" made requests that no handler matches')
  await expect(checked).rejects.toThrow('near: src/a.ts:3:1')
  leave()
})

test('a story that the user left during the wait does not fail, because another one is shown', async () => {
  const { context, leave, unhandled } = await render('Left')
  noteRequest('GET', '/pending')
  unhandled()
  const checked = checkStory(context)
  leave()
  await expect(checked).resolves.toBeUndefined()
})

test('a story waits until the caches are cleared, also by an object with then() only', async () => {
  let isCleared = false
  const clearing = {
    // oxlint-disable-next-line unicorn/no-thenable
    then(done: () => void) {
      setTimeout(() => {
        isCleared = true
        done()
      }, 10)
    },
  }
  const { leave } = await render('Cleared', { clearCaches: () => clearing })
  expect(isCleared).toBe(true)
  leave()
})

test('a state that cannot be reset is named, and the story is rendered', async () => {
  const print = vi.spyOn(console, 'error').mockReturnValue()
  const cause = new Error('no database')
  const { leave } = await render(
    'Reset',
    {},
    {
      snapshot: () => ({ state: [{ name: 'users', canReset: true }] }),
      resetState: () => Promise.reject(cause),
    },
  )
  expect(print.mock.calls).toEqual([
    [expect.stringMatching(/Failed to reset the state "users" before a story\. .*reset\(\).*\(US0911\)/), cause],
  ])
  print.mockRestore()
  leave()
})
