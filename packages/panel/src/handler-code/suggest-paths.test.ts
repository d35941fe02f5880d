import { expect, test } from 'vitest'

import { createExchange } from '../testing/create-exchange.ts'
import type { Exchange } from './exchange.ts'
import { suggestPaths } from './suggest-paths.ts'

const users = (id: string): string => `http://localhost/users/${id}`

test.each<[name: string, given: Partial<Exchange>, paths: string[]]>([
  ['one URL', { url: users('7') }, ['/users/7']],
  ['numbers', { url: users('7'), otherUrls: [users('7'), users('12')] }, ['/users/:id', '/users/7']],
  [
    'UUIDs',
    {
      url: users('3f2504e0-4f89-41d3-9a0c-0305e82c3301'),
      otherUrls: [users('6ba7b810-9dad-11d1-80b4-00c04fd430c8')],
    },
    ['/users/:id', '/users/3f2504e0-4f89-41d3-9a0c-0305e82c3301'],
  ],
  ['words', { url: users('me'), otherUrls: [users('all'), users('7')] }, ['/users/me']],
  ['two differences', { url: users('7/posts/1'), otherUrls: [users('8/posts/2')] }, ['/users/7/posts/1']],
  ['another origin', { url: 'https://api.test/users/7', otherUrls: [users('8')] }, ['https://api.test/users/7']],
  ['the path of the handler', { url: users('me'), header: 'GET /users/:name' }, ['/users/:name', '/users/me']],
  ['a handler of another path', { url: users('7'), header: 'GET /people/:name' }, ['/users/7']],
  ['a handler with a regular expression', { url: users('7'), header: 'GET /users\\/\\d+/' }, ['/users/7']],
  ['an e-mail address', { url: users('ada%40corp.test/posts') }, ['/users/:id/posts']],
  [
    'a token beside an identifier',
    {
      url: users('7/eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abc'),
      otherUrls: [users('8/eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abc')],
    },
    ['/users/:id/:id1', '/users/7/:id'],
  ],
  ['an operation', { name: 'mutation AddUser' }, ['AddUser']],
])('suggests paths for %s', (_, given, paths) => {
  expect(suggestPaths(createExchange(given))).toEqual(paths)
})
