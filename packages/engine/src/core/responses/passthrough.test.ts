import { expect, it } from 'vitest'

import { HttpResponse } from './http-response.ts'
import { isPassthroughResponse, passthrough } from './passthrough.ts'

it('creates a response that is recognized', () => {
  expect(passthrough()).toBeInstanceOf(Response)
  expect(isPassthroughResponse(passthrough())).toBe(true)
  expect(isPassthroughResponse(passthrough().clone())).toBe(true)
})

it('has the header that tools for MSW read', () => {
  const { status, headers } = passthrough()
  expect([status, headers.get('x-msw-intention')]).toEqual([302, 'passthrough'])
})

it.each([
  ['another redirect', new Response(null, { status: 302, statusText: 'Passthrough' })],
  ['a mocked response', HttpResponse.json({})],
  ['a network error', HttpResponse.error()],
])('does not recognize %s', (_name, response) => {
  expect(isPassthroughResponse(response)).toBe(false)
})
