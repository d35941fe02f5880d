import { describe, expect, it } from 'vitest'

import { http } from '../../http/http.ts'
import { HttpResponse } from '../responses/http-response.ts'
import { checkHandlers, isHandler } from './check-handlers.ts'

const handler = http.get('/user', () => HttpResponse.json({}))
function resolver(): void {}

const makeHandlers = 'Use a function like http.get(path, resolver).'
const callIt = 'Pass what it returns, or wrap a resolver in a handler: http.get(path, resolver).'

describe('checkHandlers', () => {
  it('accepts handlers, and an empty list', () => {
    expect(() => checkHandlers('add handlers', [handler, handler])).not.toThrow()
    expect(() => checkHandlers('add handlers', [])).not.toThrow()
  })

  it.each<[value: unknown, message: string]>([
    [[handler], 'is an array. Spread it, with three dots: (...handlers).'],
    [[], 'is an array. Spread it, with three dots: (...handlers).'],
    [
      { info: { header: 'GET /user' }, run: resolver },
      "is a handler of another library (GET /user). Import `http` from '@understudy/engine' in the file that makes it.",
    ],
    [resolver, `is the function "resolver". ${callIt}`],
    [() => handler, `is the function "anonymous". ${callIt}`],
    [Promise.resolve([handler]), `is a promise. Await it first.`],
    ['/user', `is the string "/user". ${makeHandlers}`],
    [undefined, `is undefined. ${makeHandlers}`],
    [null, `is null. ${makeHandlers}`],
    [5, `is the number 5. ${makeHandlers}`],
    [Symbol('a'), `is the symbol Symbol(a). ${makeHandlers}`],
    [{}, `is an object with the keys (none). ${makeHandlers}`],
    [{ user: handler }, `is an object with the keys user. ${makeHandlers}`],
    [Object.create(null), `is an object with the keys (none). ${makeHandlers}`],
    [{ info: { header: 5 } }, `is an object with the keys info. ${makeHandlers}`],
    [HttpResponse.json({}), `is an instance of HttpResponse. ${makeHandlers}`],
    [new Map(), `is an instance of Map. ${makeHandlers}`],
  ])('refuses %o', (value, message) => {
    expect(() => checkHandlers('add handlers', [handler, value])).toThrow(
      `Failed to add handlers: argument 2 ${message}`,
    )
  })

  it('uses the given name of the position', () => {
    expect(() => checkHandlers('get a response', [null], (index) => `item ${index}`)).toThrow(
      'Failed to get a response: item 0 is null.',
    )
  })
})

describe('isHandler', () => {
  it('recognizes handlers of every copy of the engine by their mark', () => {
    expect(isHandler(handler)).toBe(true)
    expect(isHandler({ '~handler': true })).toBe(true)
    expect([null, undefined, 'a', resolver, {}, { '~handler': 'yes' }].filter(isHandler)).toEqual([])
  })
})
