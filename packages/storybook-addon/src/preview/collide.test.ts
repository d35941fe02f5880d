import { graphql, http, HttpResponse, ws, type Handler } from '@understudy/engine'
import { expect, test } from 'vitest'

import { doCollide } from './collide.ts'

const answer = (): Response => HttpResponse.json({})
const chat = ws.link('wss://app.test/chat')
const other = ws.link('wss://app.test/other')
const shared = http.get('/session', answer)
const connect = (link: typeof chat): Handler => link.addEventListener('connection', () => {})

test.each<[name: string, first: Handler[], second: Handler[]]>([
  ['one route', [http.get('/users', answer)], [http.get('/users', answer)]],
  ['a parameter', [http.get('/users/:id', answer)], [http.get('/users/me', answer)]],
  ['a wildcard', [http.get('/api/*', answer)], [http.get('/api/users/5', answer)]],
  ['any method', [http.all('/users', answer)], [http.delete('/users', answer)]],
  ['a predicate', [http.get(() => true, answer)], [http.get('/users', answer)]],
  ['one operation', [graphql.query('Users', answer)], [graphql.query('Users', answer)]],
  ['any operation', [graphql.operation(answer)], [graphql.query('Users', answer)]],
  ['one socket', [connect(chat)], [connect(chat)]],
  [
    'a handler of both, which another handler precedes in one',
    [http.get('/a', answer), shared],
    [shared, http.get('/a', answer)],
  ],
])('stories collide by %s', (_name, first, second) => {
  expect(doCollide(first, second, [], 'https://app.test/')).toBe(true)
  expect(doCollide(second, first, [], 'https://app.test/')).toBe(true)
})

test.each<[name: string, first: Handler[], second: Handler[]]>([
  ['the same handlers', [shared], [shared]],
  ['other paths', [http.get('/users', answer)], [http.get('/posts', answer)]],
  ['other methods', [http.get('/users', answer)], [http.post('/users', answer)]],
  ['other origins', [http.get('https://a.test/users', answer)], [http.get('https://b.test/users', answer)]],
  ['a longer path', [http.get('/users', answer)], [http.get('/users/:id', answer)]],
  ['other operations', [graphql.query('Users', answer)], [graphql.query('Posts', answer)]],
  ['other protocols', [graphql.query('Users', answer)], [http.post('/users', answer)]],
  ['other sockets', [connect(chat)], [connect(other)]],
  ['shared handlers in addition to their own', [shared, http.get('/a', answer)], [shared, http.get('/b', answer)]],
])('stories do not collide by %s', (_name, first, second) => {
  expect(doCollide(first, second, [], 'https://app.test/')).toBe(false)
})

test("a story that overrides the project's handler collides with one that relies on it", () => {
  const project = [http.get('/users', answer)]
  expect(doCollide([http.get('/users', answer)], [], project, 'https://app.test/')).toBe(true)
  expect(doCollide([http.get('/posts', answer)], [], project, 'https://app.test/')).toBe(false)
})
