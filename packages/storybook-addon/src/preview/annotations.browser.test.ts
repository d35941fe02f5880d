import { HttpResponse, http } from '@understudy/engine'
import { Network } from '@understudy/engine/internal/page'
import { expect, test, vi } from 'vitest'

import { afterEach, beforeEach, loaders } from './annotations.ts'
import { liveRuns } from './story-run.ts'
import { noteRequest } from './undecided-requests.ts'

const mocking = vi.hoisted((): { current?: unknown } => ({}))
vi.mock('./page-mocking.ts', () => ({ getPageMocking: () => mocking.current }))

type Context = Parameters<Extract<typeof afterEach, (...args: never[]) => unknown>>[0]

/** Renders a story up to its `afterEach`. */
async function render(name: string): Promise<{ context: Context; leave: () => void; unhandled: () => void }> {
  const network = new Network([http.get('/user', () => new HttpResponse())])
  const [worker, inspection] = [{ cookies: { clear() {} } }, { clear() {}, snapshot: () => ({}) }]
  mocking.current = { network, worker, inspection, scenarios: [], update() {} }
  const rendering = new AbortController()
  const context = {
    id: name,
    name,
    title: 'User',
    viewMode: 'story',
    abortSignal: rendering.signal,
    args: {},
    globals: {},
    parameters: { understudy: { onUnhandledRequest: 'error' } },
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
    unhandled: () => void run?.unhandled.push('GET /unknown'),
  }
}

const checkStory = afterEach as (context: Context) => Promise<void>

test('a story with an unhandled request fails', async () => {
  const { context, leave, unhandled } = await render('Fails')
  unhandled()
  await expect(checkStory(context)).rejects.toThrow('The story "User/Fails" made requests that no handler matches')
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
