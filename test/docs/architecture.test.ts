import { globSync, readFileSync } from 'node:fs'
import { dirname, join, posix, resolve } from 'node:path'

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
  ['a request from a page passes', 14],
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

const protocols = ['http', 'graphql', 'ws', 'sse', 'rest']

test('protocols build on each other as the page says', () => {
  const links = globSync(`packages/engine/src/{${protocols.join()}}/**/*.ts`, { cwd: root })
    .map((file) => file.replaceAll('\\', '/').slice('packages/'.length))
    .filter((file) => !/\.test\.|\.test-d\.|\/testing\//.test(file))
    .flatMap((file) => listImports(file).map((imported) => [file.split('/')[2], imported.split('/')[2]]))
    .filter(([from, to]) => from !== to && protocols.includes(to ?? ''))
    .map(([from, to]) => `${from} on ${to}`)
  expect([...new Set(links)].toSorted()).toEqual(['graphql on ws', 'rest on http', 'sse on http'])
  const page = readFileSync(join(root, 'docs/architecture.md'), 'utf8')
  expect(page).toContain('`rest` and `sse` build on `http`, and `graphql` builds on `ws`.')
})

test('the entries that the page names contain code, and the others only re-export', () => {
  const withCode = globSync('packages/engine/src/*.ts', { cwd: root })
    .filter((file) => !file.includes('.test.'))
    .filter((file) => {
      const text = readFileSync(join(root, file), 'utf8').replaceAll(/\/\*.*?\*\/|^ *\/\/.*$/gms, '')
      return text.replaceAll(/^(?:export|import) [^;'"]*(?: from )?'[^']+'$/gm, '').trim() !== ''
    })
    .map((file) => posix.basename(file.replaceAll('\\', '/')))
  expect(withCode.toSorted()).toEqual(['command.ts', 'jest-jsdom.ts', 'jest-node.ts'])
  const page = readFileSync(join(root, 'docs/architecture.md'), 'utf8')
  expect(page).toContain('Most only re-export. `command.ts`, `jest-jsdom.ts` and `jest-node.ts` contain code')
})

test('the folder of code for pages contains only folders and tests, as the page says', () => {
  const files = globSync('packages/engine/src/browser/*.ts', { cwd: root })
  expect(files.filter((file) => !file.endsWith('.browser.test.ts'))).toEqual([])
})

test('imports between folders have no circles', () => {
  const links = globSync('packages/*/src/**/*.{ts,tsx}', { cwd: root })
    .map((file) => file.replaceAll('\\', '/').slice('packages/'.length))
    .filter((file) => !/\.test\.|\.test-d\.|\/testing\//.test(file))
    .flatMap((file) => listImports(file).map((imported) => ({ file, imported })))
    .map(({ file, imported }) => ({ file, from: dirname(file), to: dirname(imported) }))
    // A folder has its entry and what its subfolders share, so that both import each other.
    .filter(({ from, to }) => !`${from}/`.startsWith(`${to}/`) && !`${to}/`.startsWith(`${from}/`))
  expect(links.length).toBeGreaterThan(500)
  expect(findCircles(links)).toEqual([])
})

test('the search for circles finds them', () => {
  const links = ['a b', 'b c', 'c a', 'c d', 'd e', 'f a'].map((pair) => {
    const [from = '', to = ''] = pair.split(' ')
    return { file: `${from}/x.ts`, from, to }
  })
  expect(findCircles(links)).toEqual(['a imports b: x.ts', 'b imports c: x.ts', 'c imports a: x.ts'])
})

interface Link {
  readonly file: string
  readonly from: string
  readonly to: string
}

/** Removes the folders that import no other folder, or that no other folder imports, until only circles are left. */
function findCircles(links: readonly Link[]): string[] {
  const importing = new Set(links.map(({ from }) => from))
  const imported = new Set(links.map(({ to }) => to))
  const rest = links.filter(({ from, to }) => importing.has(to) && imported.has(from))
  if (rest.length < links.length) return findCircles(rest)
  // The pair of folders with the fewest imports is first: those are probably the wrong ones.
  const pairs = Map.groupBy(rest, ({ from, to }) => `${from} imports ${to}`)
  return [...pairs]
    .toSorted(([, a], [, b]) => a.length - b.length)
    .map(([pair, each]) => `${pair}: ${each.map(({ file }) => posix.basename(file)).join(', ')}`)
}

/** Returns the files that a file imports by a relative path, also with `import()` and only types. */
function listImports(file: string): string[] {
  const text = readFileSync(join(root, 'packages', file), 'utf8')
  return Array.from(text.matchAll(/(?:from |import\()'(\.[^']+)'/g), ([, path = '']) => posix.join(dirname(file), path))
}
