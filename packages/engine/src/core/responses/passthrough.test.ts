import { expect, it } from 'vitest'

import { HttpResponse } from './http-response.ts'
import { isPassthroughResponse, passthrough } from './passthrough.ts'

it('makes a response that is known', () => {
  expect(passthrough()).toBeInstanceOf(Response)
  expect(isPassthroughResponse(passthrough())).toBe(true)
})

it.each([
  ['another redirect', new Response(null, { status: 302, statusText: 'Passthrough' })],
  ['a mocked response', HttpResponse.json({})],
  ['a network error', HttpResponse.error()],
])('does not take %s for one', (_name, response) => {
  expect(isPassthroughResponse(response)).toBe(false)
})
