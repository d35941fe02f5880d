import { http, HttpResponse } from '@understudy/engine'
import { afterEach, expect, test } from 'vitest'

import { forgetEnded, isLate, noteEnded } from './late-requests.ts'
import { noHandlers } from './read-handlers.ts'
import { addRun, removeRun, type StoryRun } from './story-run.ts'

const run = {
  handlers: noHandlers,
  runtime: [http.get('https://api.test/boats', () => HttpResponse.json([]))],
} as unknown as StoryRun
const boats = new URL('https://api.test/boats')

afterEach(forgetEnded)

test('a request is late if the handlers of a story that has just ended match it', () => {
  expect(isLate('GET', boats)).toBe(false)
  noteEnded(run)
  expect(isLate('get', boats)).toBe(true)
  expect(isLate('POST', boats)).toBe(false)
  expect(isLate('GET', new URL('https://api.test/tides'))).toBe(false)
})

test('a module is not late, also if a handler matches all URLs', () => {
  noteEnded({ ...run, runtime: [http.all('*', () => new HttpResponse())] })
  expect(isLate('GET', boats)).toBe(true)
  expect(isLate('GET', new URL('https://app.test/src/Tides.stories.tsx'))).toBe(false)
})

test('no request is late once the next story has its handlers', () => {
  noteEnded(run)
  forgetEnded()
  expect(isLate('GET', boats)).toBe(false)
})

test('no request is late once the rendering of the story must have ended', async () => {
  noteEnded(run)
  for (let task = 0; task < 20; task += 1) await new Promise((resolve) => setTimeout(resolve))
  expect(isLate('GET', boats)).toBe(false)
})

test('no request is late while other stories of the page are rendered', () => {
  const other = { ...run }
  addRun(other)
  noteEnded(run)
  removeRun(other)
  expect(isLate('GET', boats)).toBe(false)
})
