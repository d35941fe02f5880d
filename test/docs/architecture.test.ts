import { globSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'

import { expect, test } from 'vitest'

const root = resolve(import.meta.dirname, '../..')

test('every file and folder that the architecture page names exists', () => {
  const page = readFileSync(join(root, 'docs/architecture.md'), 'utf8')
  const packages = globSync('packages/*/package.json', { cwd: root }).map((file) => file.split(/[\\/]/)[1])
  const [, outside = ''] = page.split('## Outside the packages')
  const paths = [
    ...Array.from(page.matchAll(/`([\w-]+\/[\w./*-]+)`/g), ([, path = '']) => path)
      .filter((path) => packages.includes(path.split('/', 1)[0]))
      .map((path) => `packages/${path}`),
    ...Array.from(outside.matchAll(/^\| `([\w-]+)` \|/gm), ([, path = '']) => path),
  ]
  expect(paths.length).toBeGreaterThan(50)
  expect(paths.filter((path) => globSync(path, { cwd: root }).length === 0)).toEqual([])
})

test('the table of folders has every folder of the sources', () => {
  const page = readFileSync(join(root, 'docs/architecture.md'), 'utf8')
  const [, table = ''] = page.split('## Folders')
  const folders = globSync('packages/*/src/**/*.{ts,tsx}', { cwd: root })
    .map((file) => dirname(file).replaceAll('\\', '/').slice('packages/'.length))
    .filter((folder) => !folder.includes('/testing'))
  const missing = new Set(
    folders.filter((folder) => ![`\`${folder}\``, `\`${folder}/*.ts\``].some((name) => table.includes(name))),
  )
  expect([...missing]).toEqual([])
})

test.each([
  ['a request of a page passes', 14],
  ['`fetch` in Node passes', 10],
])('the files that %s are few, and each calls or is called by another one', (title, most) => {
  const page = readFileSync(join(root, 'docs/architecture.md'), 'utf8')
  const [, section = ''] = page.split(`### Files that ${title}\n`)
  const [list = ''] = section.split('\n#', 1)
  const files = Array.from(list.matchAll(/^\d+\. `([^`]+)`/gm), ([, path = '']) => join(root, 'packages', path))
  expect(files.length).toBeGreaterThan(5)
  expect(files.length).toBeLessThanOrEqual(most)
  const links = files.flatMap((file) =>
    Array.from(readFileSync(file, 'utf8').matchAll(/from '(\.[^']+)'/g), ([, path = '']) => [
      file,
      resolve(dirname(file), path),
    ]).filter(([, target = '']) => files.includes(target)),
  )
  // Handlers are called by the interface of all protocols.
  const linked = new Set([...links.flat(), join(root, 'packages/engine/src/http/http-handler.ts')])
  expect(files.filter((file) => !linked.has(file))).toEqual([])
})
