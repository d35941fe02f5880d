import './story-context.ts'
import { http, HttpResponse } from '@understudy/engine'
import type { Parameters, StoryAnnotations } from 'storybook/internal/csf'
import { expectTypeOf, test } from 'vitest'

import type { Understudy } from './index.ts'

const users = http.get('/api/users', () => HttpResponse.json([]))

test('the context of a story has the addon by both names', () => {
  const story = {
    beforeEach({ understudy, msw }) {
      expectTypeOf(understudy).toEqualTypeOf<Understudy>()
      expectTypeOf(msw).toEqualTypeOf<Understudy>()
      msw.use(users)
      // @ts-expect-error A name is not a handler.
      understudy.use('/api/users')
    },
    async play({ understudy }) {
      await understudy.requests('GET /api/users')
    },
  } satisfies StoryAnnotations
  expectTypeOf(story).toBeObject()
})

test('parameters are checked', () => {
  expectTypeOf({ handlers: [users] }).toExtend<Parameters>()
  expectTypeOf({ msw: { handlers: { users } } }).toExtend<Parameters>()
  expectTypeOf({ handlers: [1] }).not.toExtend<Parameters>()
  expectTypeOf({ understudy: { isolate: 'no' } }).not.toExtend<Parameters>()
})
