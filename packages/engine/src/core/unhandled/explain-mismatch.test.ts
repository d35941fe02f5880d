import { describe, expect, test } from 'vitest'

import type { HttpHandler } from '../../http/http-handler.ts'
import { delay, http, HttpResponse } from '../../index.ts'
import { IncomingRequest } from '../handlers/incoming-request.ts'
import { explainMismatch } from './explain-mismatch.ts'

const origin = 'https://api.test'
const resolve = (): Response => HttpResponse.json({})

function explain(handler: HttpHandler, method: string, url: string): string | undefined {
  const request = new Request(new URL(url, origin), { method })
  const mismatch = handler.explainMismatch(new IncomingRequest(request, 'id', undefined, origin), explainMismatch)
  return typeof mismatch === 'object' ? mismatch.difference : mismatch
}

describe('what differs', () => {
  test.each<[handler: HttpHandler, method: string, url: string, difference: string]>([
    [http.get('/users', resolve), 'POST', '/users', 'path matches, method differs: GET expected, POST sent'],
    [
      http.get('/user/:id', resolve),
      'DELETE',
      '/user/5?full',
      'path matches, method differs: GET expected, DELETE sent',
    ],
    [http.get('/api/users', resolve), 'GET', '/api/user', 'segment 2 differs: `users` expected, `user` sent'],
    [http.get('/users', resolve), 'GET', '/user', 'segment 1 differs: `users` expected, `user` sent'],
    [http.all('/users/:id/posts', resolve), 'GET', '/users/5/post', 'segment 3 differs: `posts` expected, `post` sent'],
    [
      http.get('/api/users', resolve),
      'PUT',
      '/apis/user',
      'segment 1 differs: `api` expected, `apis` sent; segment 2 differs: `users` expected, `user` sent; method differs: GET expected, PUT sent',
    ],
    [http.get('/users/:id', resolve), 'GET', '/users', '2 segments expected, 1 sent'],
    [http.get('/users', resolve), 'GET', '/users/5', '1 segment expected, 2 sent'],
    [http.get('/users', resolve), 'GET', '/api/v1/users', 'path sent begins with `/api/v1`, path expected does not'],
    [http.get('api.test/users', resolve), 'GET', '/users', 'path begins with a host: put `https://` in front of it'],
    [
      http.get('api.test/users/:id', resolve),
      'PUT',
      '/user/5',
      'path begins with a host: put `https://` in front of it; segment 1 differs: `users` expected, `user` sent; method differs: GET expected, PUT sent',
    ],
    [
      http.get('/api/:version/users', resolve),
      'GET',
      '/users',
      'path expected begins with `/api/*`, path sent does not',
    ],
    [
      http.get('/user/:id(\\d+)', resolve),
      'GET',
      '/user/ada',
      'the path has the right shape, but a parameter does not fit',
    ],
    // A base URL with a slash at its end, and a path with a slash at its start.
    [http.get('/users', resolve), 'GET', `${origin}//users`, 'path sent contains `//`, path expected does not'],
    [http.get('/api/:id', resolve), 'GET', '/api//5', 'path sent contains `//`, path expected does not'],
    [
      http.get('https://other.test/users', resolve),
      'GET',
      '/users',
      'origin differs: https://other.test expected, https://api.test sent',
    ],
    [
      http.get('/users', resolve),
      'GET',
      'http://api.test:8080/users',
      'origin differs: https://api.test expected, http://api.test:8080 sent',
    ],
    [
      http.get('/search', resolve, { query: { q: ':term' } }),
      'GET',
      '/search?p=1',
      'path matches, query differs: `q=:term` expected, nothing sent',
    ],
    [http.get('/', resolve), 'POST', '/', 'path matches, method differs: GET expected, POST sent'],
    [http.get(/\/users$/, resolve), 'POST', '/users', 'path matches, method differs: GET expected, POST sent'],
  ])('%#: $info.header', (handler, method, url, difference) => {
    expect(explain(handler, method, url)).toBe(difference)
  })

  test('no difference for a matching request', () => {
    expect(explain(http.get('/users', resolve), 'GET', '/users')).toBe('matches')
  })
})

describe('handlers that are too different are not explained', () => {
  test.each<[handler: HttpHandler, method: string, url: string]>([
    [http.get('/users', resolve), 'GET', '/posts'],
    [http.get('/api/users', resolve), 'GET', '/api/posts'],
    [http.get('/:any', resolve), 'POST', '/a/b/c'],
    [http.get('/a', resolve), 'GET', '/b'],
    [http.get('/users', resolve), 'GET', '/users/1/posts/2/comments/3'],
    [http.get('https://other.test/users', resolve), 'POST', '/api/v1/users'],
    [http.get(/nothing/, resolve), 'GET', '/users'],
  ])('%#: $info.header', (handler, method, url) => {
    expect(explain(handler, method, url)).toBe(undefined)
  })

  test('a predicate function is not called', () => {
    const handler = http.get(async () => {
      await delay('infinite')
      return true
    }, resolve)
    expect(explain(handler, 'GET', '/users')).toBe(undefined)
  })
})
