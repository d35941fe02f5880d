import { http, HttpResponse } from '@understudy/engine'
import { Network } from '@understudy/engine/internal/page'
import { expect, test } from 'vitest'

import { emit } from '../../../engine/src/core/network/emit.ts'
import type { PageMocking } from './mocking-state.ts'
import type { StoryRun } from './story-run.ts'
import { createUnderstudy, type Understudy } from './understudy.ts'

function create(): { network: Network; run: StoryRun; understudy: Understudy; happen: () => void } {
  const network = new Network([])
  const run = { ending: new AbortController(), runtimeToken: {}, runtime: [], sent: [] } as unknown as StoryRun
  const understudy = createUnderstudy({ network } as PageMocking, run)
  const request = new Request('http://localhost/api/boats')
  const happen = (): void => emit(network.events, 'request:start', () => ({ request, requestId: '1' }))
  return { network, run, understudy, happen }
}

test('listeners get requests until the story ends', () => {
  const { run, understudy, happen } = create()
  const heard: string[] = []
  understudy.events.on('request:start', ({ request }) => heard.push(new URL(request.url).pathname))
  understudy.events.once('request:start', ({ requestId }) => heard.push(requestId))
  happen()
  expect(heard).toEqual(['/api/boats', '1'])
  happen()
  expect(heard).toEqual(['/api/boats', '1', '/api/boats'])
  run.ending.abort()
  happen()
  expect(heard).toHaveLength(3)
})

test('a listener goes earlier by its own signal, and by removeListener', () => {
  const { understudy, happen } = create()
  const heard: string[] = []
  const listener = (): void => void heard.push('second')
  const controller = new AbortController()
  understudy.events.on('request:start', () => heard.push('first'), { signal: controller.signal })
  understudy.events.on('request:start', listener)
  controller.abort()
  happen()
  expect(heard).toEqual(['second'])
  understudy.events.removeListener('request:start', listener)
  happen()
  expect(heard).toEqual(['second'])
})

test('use() prepends handlers, resetHandlers() removes them, and use() has no effect after the story ended', () => {
  const { run, understudy } = create()
  const [first, second, late] = ['/1', '/2', '/3'].map((path) => http.get(path, () => HttpResponse.text(path)))
  if (!first || !second || !late) throw new Error('There are three.')
  understudy.use(first)
  understudy.use(second)
  expect(understudy.listHandlers()).toEqual([second, first])
  understudy.resetHandlers()
  expect(understudy.listHandlers()).toEqual([])
  run.ending.abort()
  understudy.use(late)
  expect(understudy.listHandlers()).toEqual([])
})
