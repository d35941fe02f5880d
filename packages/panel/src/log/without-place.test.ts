import { expect, test } from 'vitest'

import { withoutPlace } from './without-place.ts'

const handler = { id: 1, header: 'GET /user' }

test.each([
  'http://localhost:5173/src/handlers.ts',
  'http://localhost:5173/src/(shop)/[id]/handlers.ts',
  '/app/my apps (copy)/(shop)/@modal/handlers.ts',
  'C:/app/(shop)/handlers.ts',
  'src/bücher/手册.ts',
])('the place %s is removed from a reason', (file) => {
  const reason = `Failed to answer with the handler GET /user (${file}:12:3): it is broken (twice). See GET /user (${file}:12:3).`
  expect(withoutPlace(reason, handler)).toBe(
    'Failed to answer with the handler GET /user: it is broken (twice). See GET /user.',
  )
})

test.each(['GET /user (of the page) failed', 'connect ECONNREFUSED (127.0.0.1:80:1)', 'GET /users (src/a.ts:1:1)'])(
  'a reason without the place of the handler stays: %s',
  (reason) => {
    expect(withoutPlace(reason, handler)).toBe(reason)
    expect(withoutPlace(reason, null)).toBe(reason)
  },
)
