import { expect, test } from 'vitest'

import { HttpResponse, setCookiesOf } from './http-response.ts'
import { withFault, type BodyFault } from './with-fault.ts'

const original = (): HttpResponse => HttpResponse.text('helloworld', { status: 201, headers: { 'Set-Cookie': 'a=b' } })

test.each<BodyFault>([
  { kind: 'truncated-body' },
  { kind: 'truncated-body', after: 5 },
  { kind: 'malformed-chunk', after: 5 },
])('a body with a fault arrives in part, and then fails: %o', async (fault) => {
  const response = withFault(original(), fault)
  expect([response.status, response.statusText, setCookiesOf(response)]).toEqual([201, 'Created', ['a=b']])
  const reader = response.body?.getReader()
  expect(new TextDecoder().decode((await reader?.read())?.value)).toBe('hello')
  await expect(reader?.read()).rejects.toThrow(new TypeError('terminated'))
})

test('a truncated body keeps its declared length, and a chunked body declares no length', () => {
  expect(withFault(original(), { kind: 'truncated-body' }).headers.get('content-length')).toBe('10')
  expect(withFault(original(), { kind: 'malformed-chunk' }).headers.has('content-length')).toBe(false)
})

test('a body in slow chunks stops when its reader cancels', async () => {
  const { body } = withFault(original(), { kind: 'slow-chunks', chunkSize: 3, interval: 1 })
  const reader = body?.getReader()
  expect((await reader?.read())?.value?.length).toBe(3)
  await reader?.cancel()
  expect(await reader?.read()).toEqual({ done: true, value: undefined })
})

test.each([
  [{ kind: 'truncated' }, 'the string "truncated" is not a kind of fault. Use "truncated-body"'],
  [{ kind: 'truncated-body', after: -1 }, 'after is the number -1. Pass an integer from 0'],
  [{ kind: 'slow-chunks', chunkSize: 0 }, 'chunkSize is the number 0. Pass an integer from 1'],
  [{ kind: 'slow-chunks', interval: Infinity }, 'interval is the number Infinity. Pass an integer from 0'],
])('what is not a fault is refused: %o', (fault, message) => {
  expect(() => withFault(original(), fault as BodyFault)).toThrow(`Failed to add a fault to a response: ${message}`)
})

test('a response without a body is refused', () => {
  expect(() => withFault(new HttpResponse(null), { kind: 'truncated-body' })).toThrow('the response has no body')
})

test.each([
  [{ fault: 'reset' }, 'its code is undefined, its fault "reset"'],
  [{ fault: 'empty-response', code: 'ETIMEDOUT' }, 'its code is "ETIMEDOUT", its fault "empty-response"'],
])('a network error of an unknown kind is refused: %o', (init, reason) => {
  expect(() => HttpResponse.error(init as never)).toThrow(`Failed to create a network error: ${reason}.`)
})
