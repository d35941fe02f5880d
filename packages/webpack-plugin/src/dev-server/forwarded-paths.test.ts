import { expect, test } from 'vitest'

import { listForwardedPaths } from './forwarded-paths.ts'

test.each([
  ['a list of contexts', [{ context: ['/api', '/auth'], target: 'http://localhost:4000' }], ['/api', '/auth']],
  ['one context', [{ context: '/api', target: 'http://localhost:4000' }], ['/api']],
  ['path filters', [{ pathFilter: '/api' }], ['/api']],
  ['an object of paths', { '/api': 'http://localhost:4000', '^/auth': {} }, ['/api', '^/auth']],
  ['one rule', { context: '/api', target: 'http://localhost:4000' }, ['/api']],
  ['every path', [{ context: ['/'] }, { context: ['/**'] }], []],
  ['functions', [() => ({ context: '/api' }), { context: () => true }], []],
  ['an exception', [{ context: ['/api', '!/api/page'] }], []],
  ['no rules', undefined, []],
])('%s', (_, proxy, paths) => {
  expect(listForwardedPaths([proxy])).toEqual(paths)
})

test.each([
  ['/api/**', '/api/users/5', true],
  ['/api/**', '/api.html', false],
  ['/api/*', '/api/users', true],
  ['/api/*', '/api/users?page=2', true],
  ['/api/*', '/api/users/5', false],
  ['/**/data/*.json', '/data/users.json', true],
  ['/**/data/*.json', '/a/b/data/users.json', true],
  ['/**/data/*.json', '/data/users-json', false],
])('the glob pattern %s and the path %s', (context, path, isForwarded) => {
  const [pattern = ''] = listForwardedPaths([[{ context }]])
  expect(new RegExp(pattern).test(path)).toBe(isForwarded)
})
