import { afterEach, describe, expect, test, vi } from 'vitest'

import { getResponse } from '../core/network/get-response.ts'
import { HttpResponse } from '../core/responses/http-response.ts'
import { explainMismatch } from '../core/unhandled/explain-mismatch.ts'
import { http } from './http.ts'
import { suggestQueryPattern, type QueryPattern } from './query-pattern.ts'

const baseUrl = 'https://example.com'

afterEach(() => {
  vi.restoreAllMocks()
})

/** Returns the parameters of a handler with this query, or `'no match'`. */
async function find(query: QueryPattern, search: string): Promise<unknown> {
  const handler = http.get('/search', ({ params }) => HttpResponse.json(params), { query })
  const response = await getResponse([handler], new Request(`${baseUrl}/search${search}`), { baseUrl })
  return response ? response.json() : 'no match'
}

describe('a query matches', () => {
  test.each<[string, QueryPattern, string, unknown]>([
    ['any value of a parameter', { q: ':term' }, '?q=cats', { term: 'cats' }],
    ['a decoded value', { q: ':term' }, '?q=a%20b+c%26', { term: 'a b c&' }],
    ['an empty value', { q: ':term' }, '?q=', { term: '' }],
    ['the first of several values', { q: ':term' }, '?q=a&q=b', { term: 'a' }],
    ['a broken escape, as it is', { q: ':term' }, '?q=%E0%A4%A', { term: '\uFFFD%A' }],
    ['in any order, among other keys', { q: ':term', page: '2' }, '?x=1&page=2&q=cats&y', { term: 'cats' }],
    ['an optional parameter', { q: ':term?' }, '', {}],
    ['an optional parameter that is there', { q: ':term?' }, '?q=a', { term: 'a' }],
    ['a list', { tag: ':tags+' }, '?tag=a&x&tag=b', { tags: ['a', 'b'] }],
    ['a list of one', { tag: ':tags+' }, '?tag=a', { tags: ['a'] }],
    ['a list that may be empty', { tag: ':tags*' }, '', {}],
    ['an expression', { page: ':page(\\d+)' }, '?page=12', { page: '12' }],
    ['an expression and a modifier', { id: ':ids(\\d+|x)+' }, '?id=1&id=x', { ids: ['1', 'x'] }],
    ['text, a number, a boolean', { sort: 'name', page: 2, open: true }, '?open=true&page=2&sort=name', {}],
    ['one of several values', { tag: 'b' }, '?tag=a&tag=b', {}],
    ['each of a list, in any order', { tag: ['b', 1] }, '?tag=1&tag=a&tag=b', {}],
    ['a RegExp, whatever its flags', { q: /^c/gi }, '?q=Cats', {}],
    ['a key that is not there', { cursor: null }, '?q=a', {}],
    ['text with a colon in front', { q: '\\:term' }, '?q=:term', {}],
    ['nothing in particular', {}, '?q=a', {}],
    ['keys that need quotes', { 'filter[name]': ':name' }, '?filter%5Bname%5D=Ada', { name: 'Ada' }],
  ])('%s', async (_title, query, search, params) => {
    expect(await find(query, search)).toEqual(params)
  })

  test('twice with the same RegExp', async () => {
    const query = { q: /a/gy }
    expect(await find(query, '?q=a')).toEqual({})
    expect(await find(query, '?q=a')).toEqual({})
  })
})

describe('a query does not match', () => {
  test.each<[string, QueryPattern, string]>([
    ['where a parameter is missing', { q: ':term' }, ''],
    ['where a list is empty', { tag: ':tags+' }, ''],
    ['another value', { page: '2' }, '?page=3'],
    ['another case', { sort: 'name' }, '?sort=Name'],
    ['a part of the value', { page: '2' }, '?page=22'],
    ['what an expression does not fit', { page: ':page(\\d+)' }, '?page=1x'],
    ['an optional one that its expression does not fit', { page: ':page(\\d+)?' }, '?page=x'],
    ['a list with one that does not fit', { id: ':ids(\\d+)+' }, '?id=1&id=x'],
    ['a list with one missing', { tag: ['a', 'b'] }, '?tag=a'],
    ['a RegExp', { q: /^c/ }, '?q=dogs'],
    ['a key that must not be there', { cursor: null }, '?cursor='],
  ])('%s', async (_title, query, search) => {
    expect(await find(query, search)).toBe('no match')
  })
})

describe('a handler with a query', () => {
  test('joins the parameters of path and query', async () => {
    const handler = http.get('/user/:id', ({ params }) => HttpResponse.json(params), { query: { tab: ':tab' } })
    const response = await getResponse([handler], new Request(`${baseUrl}/user/5?tab=a`), { baseUrl })
    expect(await response?.json()).toEqual({ id: '5', tab: 'a' })
  })

  test('leaves other queries to the next handler', async () => {
    const handlers = [
      http.get('/search', () => HttpResponse.text('second page'), { query: { page: 2 } }),
      http.get('/search', () => HttpResponse.text('any page')),
    ]
    const ask = async (search: string) =>
      (await getResponse(handlers, new Request(`${baseUrl}/search${search}`), { baseUrl }))?.text()
    expect(await ask('?page=2')).toBe('second page')
    expect(await ask('?page=3')).toBe('any page')
  })

  test('works with a RegExp, a predicate and { once }', async () => {
    const byRegExp = http.get(/\/(search)$/, ({ params }) => HttpResponse.json(params), { query: { q: ':term' } })
    const request = new Request(`${baseUrl}/search?q=cats`)
    expect(await (await getResponse([byRegExp], request))?.json()).toEqual({ 0: 'search', term: 'cats' })

    const given = { id: '5' }
    const byPredicate = http.get<{ id: string; term: string }>(
      () => ({ matches: true, params: given as { id: string; term: string } }),
      ({ params }) => HttpResponse.json(params),
      { query: { q: ':term' }, once: true },
    )
    expect(await (await getResponse([byPredicate], request))?.json()).toEqual({ id: '5', term: 'cats' })
    expect(given).toEqual({ id: '5' })
    expect(await getResponse([byPredicate], request)).toBe(undefined)
  })

  test('does not call a predicate if the query differs', async () => {
    const predicate = vi.fn<() => boolean>(() => true)
    const handler = http.get(predicate, () => HttpResponse.text('yes'), { query: { q: 'cats' } })
    expect(await getResponse([handler], new Request(`${baseUrl}/?q=dogs`))).toBe(undefined)
    expect(predicate).not.toHaveBeenCalled()
  })

  test('keeps names from prototypes', async () => {
    let params: object = {}
    const handler = http.get(
      '/search',
      (info) => {
        params = info.params
        return new HttpResponse()
      },
      { query: { __proto__x: ':__proto__' } },
    )
    await getResponse([handler], new Request(`${baseUrl}/search?__proto__x=1`), { baseUrl })
    expect(Object.getPrototypeOf(params)).toBe(null)
    expect(Object.entries(params)).toEqual([['__proto__', '1']])
  })

  test('its name contains the query', () => {
    const query = { q: ':term', page: 2, tag: ['a', 'b'], id: /^\d/, cursor: null }
    const handler = http.get('/search', () => {}, { query })
    expect(handler.info.header).toBe('GET /search?q=:term&page=2&tag=a&tag=b&id=/^\\d/&!cursor')
    expect(handler.info.query).toBe(query)
  })

  test('could match any query, and does not match all requests', () => {
    const route = http.get('/search', () => {}, { query: { q: ':term' } }).route(baseUrl)
    expect(route).toMatchObject({ segments: ['search'], open: false, exact: false })
  })
})

describe('bad input', () => {
  const make =
    (query: unknown, path = '/search') =>
    () =>
      http.get(path, () => {}, { query: query as QueryPattern }) as unknown

  test.each<[string, unknown, string]>([
    [
      'text for a query',
      'q=:term',
      'Failed to create the handler GET /search: its option "query" is the string "q=:term".',
    ],
    ['true for a query', true, 'its option "query" is the boolean true. Pass a condition for each key'],
    ['a list for a query', [], 'its option "query" is an array'],
    ['an object for a value', { q: {} }, 'its query needs "q" to be an object with the keys (none). Use text'],
    [
      'an object in a list',
      { q: ['a', {}] },
      'its query needs "q" to be a list with an object with the keys (none). List text, numbers and booleans.',
    ],
    [
      'an invalid parameter',
      { q: ':a b' },
      'its query needs "q" to be ":a b", which is not a parameter. Write ":name"',
    ],
    ['an invalid expression', { q: ':a([)' }, 'its query needs "q" to be the expression ([), which is not valid.'],
    ['a name twice in the query', { q: ':a', r: ':a' }, 'its query needs "r" to be ":a", which occurs twice.'],
  ])('%s', (_title, query, message) => {
    expect(make(query)).toThrow(message)
  })

  test('a name in path and query', () => {
    expect(make({ q: ':id' }, '/user/:id')).toThrow('its query needs "q" to be ":id", which occurs twice.')
    expect(make({ q: ':id' }, 'http://localhost:3000/user/:id2')).not.toThrow()
  })
})

describe('a query in a path', () => {
  test('is ignored, with a warning that shows the option', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
    const handler = http.post('/search/:kind?q=:term&tag=a&tag=b#top', () => HttpResponse.text('yes'))
    // In a page, the warning is printed after the module.
    await Promise.resolve()
    expect(warn).toHaveBeenCalledOnce()
    expect(warn.mock.calls[0]?.[0]).toMatch(
      /^\[understudy\] The handler POST \/search\/:kind\?q=:term&tag=a&tag=b#top \(.+:\d+:\d+\) has "\?q=:term&tag=a&tag=b#top" in its path, which is ignored\. /,
    )
    expect(warn.mock.calls[0]?.[0]).toContain(
      "To match it, write http.post('/search/:kind', resolver, { query: { q: ':term', tag: ['a', 'b'] } }). " +
        "To read it in the resolver, write http.post('/search/:kind', ({ url }) => …) and url.searchParams.get(…).",
    )
    const request = new Request(`${baseUrl}/search/x`, { method: 'POST' })
    expect(await (await getResponse([handler], request, { baseUrl }))?.text()).toBe('yes')
  })

  test('the warning about a hash without a query says to omit it', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
    http.get('/page#top', () => {})
    await Promise.resolve()
    expect(warn.mock.calls[0]?.[0]).toContain('has "#top" in its path, which is ignored. Write \'/page\'.')
  })

  test('the option is shown as code', () => {
    expect(suggestQueryPattern("?filter[a]=it's&b=%5C")).toBe("{ 'filter[a]': 'it\\'s', b: '\\\\' }")
  })
})

describe('a request with another query', () => {
  test.each<[QueryPattern, string, string | undefined]>([
    [{ page: 2 }, '?page=3', 'path matches, query differs: `page=2` expected, `page=3` sent'],
    [{ q: ':term' }, '', 'path matches, query differs: `q=:term` expected, nothing sent'],
    [
      { cursor: null },
      '?cursor=1&cursor=2',
      'path matches, query differs: `!cursor` expected, `cursor=1` and `cursor=2` sent',
    ],
  ])('with the query %j of %j', async (query, search, difference) => {
    const { IncomingRequest } = await import('../core/handlers/incoming-request.ts')
    const handler = http.get('/search', () => {}, { query })
    const incoming = new IncomingRequest(new Request(`${baseUrl}/search${search}`), 'id', undefined, baseUrl)
    expect(handler.explainMismatch(incoming, explainMismatch)).toEqual({ distance: 1, difference })
  })
})
