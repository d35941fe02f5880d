import { describe, expect, test } from 'vitest'

import { getResponse } from '../../core/network/get-response.ts'
import { HttpResponse, setCookiesOf } from '../../core/responses/http-response.ts'
import { graphql } from '../graphql.ts'
import { post } from '../testing/graphql-request.ts'
import { acceptedTypes } from './accept.ts'

const json = 'application/json'
const modern = 'application/graphql-response+json'

async function answer(respond: () => Response, accept: string): Promise<Response> {
  const response = await getResponse([graphql.operation(() => respond())], post('{ a }', { Accept: accept }))
  if (!response) throw new Error('no response')
  return response
}
const typeOf = async (respond: () => Response, accept: string): Promise<string | null> =>
  (await answer(respond, accept)).headers.get('content-type')

describe('JSON has the type that the client likes better', () => {
  test.each([
    [`${modern}, ${json}`, modern],
    [`${modern},${json};q=0.9`, modern],
    [`${json};q=0.9, ${modern}`, modern],
    [modern, modern],
    [`${modern}, */*`, modern],
    [`${json}, ${modern}`, json],
    [`${modern};q=0.5, ${json}`, json],
    [`${modern};q=0`, json],
    ['*/*', json],
    ['', json],
    ['text/event-stream, application/json', json],
  ])('%s', async (accept, type) => {
    expect(await typeOf(() => HttpResponse.json({ data: {} }), accept)).toBe(type)
  })

  test('unless the handler chose one', async () => {
    const chosen = (type: string) => () => HttpResponse.json({ data: {} }, { headers: { 'Content-Type': type } })
    expect(await typeOf(chosen(json), modern)).toBe(json)
    expect(await typeOf(chosen('application/problem+json'), modern)).toBe('application/problem+json')
    expect(await typeOf(() => HttpResponse.text('no'), modern)).toBe('text/plain')
  })

  test('a copy of a response is handled like the response, also from generators', async () => {
    expect(await typeOf(() => HttpResponse.json({ data: {} }).clone(), modern)).toBe(modern)
    const steps = graphql.operation(function* () {
      yield HttpResponse.json({ data: {} })
    })
    const ask = async (accept: string) =>
      (await getResponse([steps], post('{ a }', { Accept: accept })))?.headers.get('content-type')
    expect([await ask(modern), await ask(json), await ask(modern)]).toEqual([modern, json, modern])
  })
})

describe('a client that accepts only event streams', () => {
  test('gets a result as an event stream', async () => {
    const response = await answer(
      () => HttpResponse.json({ data: { a: 1 } }, { headers: { 'Set-Cookie': 'a=1', 'X-Trace': '7' } }),
      'text/event-stream',
    )
    expect(response.headers.get('content-type')).toBe('text/event-stream')
    expect(response.headers.get('x-trace')).toBe('7')
    expect(setCookiesOf(response)).toEqual(['a=1'])
    expect(await response.text()).toBe(':\n\nevent: next\ndata: {"data":{"a":1}}\n\nevent: complete\ndata:\n\n')
  })

  test('gets a failure, and a response that is not JSON, unchanged', async () => {
    expect((await answer(() => HttpResponse.json({}, { status: 401 }), 'text/event-stream')).status).toBe(401)
    expect(await typeOf(() => HttpResponse.text('no'), 'text/event-stream')).toBe('text/plain')
  })
})

test.each([
  [null, []],
  ['', []],
  ['a/b', ['a/b']],
  ['A/B;q=0.1, c/d;x=1, e/f;q=0.5, g/h;q=0', ['c/d', 'e/f', 'a/b']],
])('accepted types of %s', (accept, types) => {
  expect(acceptedTypes(accept)).toEqual(types)
})
