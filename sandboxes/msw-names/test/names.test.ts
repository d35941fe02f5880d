/** Tests that every name that MSW exports has a row in the migration guide, and that rows with "same" are right. */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

import { beforeAll, describe, expect, test } from 'vitest'

import * as browser from '../../../packages/engine/src/browser.ts'
import * as engine from '../../../packages/engine/src/index.ts'
import * as engineMsw from '../../../packages/engine/src/msw.ts'
import * as node from '../../../packages/engine/src/node.ts'

const modules = join(import.meta.dirname, '../node_modules')
const guide = join(import.meta.dirname, '../../../docs/migrating-from-msw.md')

/** Declarations of MSW's entries, by the folder or the file in `lib`. */
const entries = {
  'msw-2': ['core', 'node', 'browser', 'native'],
  'msw-3': ['core', 'node', 'browser', 'http', 'graphql', 'ws', 'sse', 'utils', 'vite'],
}

interface Row {
  readonly names: readonly string[]
  readonly here: string
}

let rows: Row[]

beforeAll(async () => {
  const markdown = await readFile(guide, 'utf8')
  const table = markdown.slice(markdown.indexOf('## Every name'))
  rows = table
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .map((line) => {
      const [, names = '', , here = ''] = line.split('|')
      return { names: Array.from(names.matchAll(/`(\w+)`/g), ([, name]) => name as string), here: here.trim() }
    })
})

/** The names that the declaration files of an entry export. */
async function readNames(version: keyof typeof entries, entry: string): Promise<string[]> {
  const folder = join(modules, version, 'lib', entry)
  const files = (await readdir(folder)).filter((file) => file.endsWith('.d.ts') && !/-\w{8}\.d\.ts$/.test(file))
  const isIndex = files.includes('index.d.ts')
  const texts = await Promise.all(
    files.filter((file) => !isIndex || file === 'index.d.ts').map((file) => readFile(join(folder, file), 'utf8')),
  )
  return texts.flatMap((text) => [
    ...Array.from(text.matchAll(/export (?:type )?\{([^}]*)\}/g), ([, list = '']) =>
      list.split(',').map((item) =>
        item
          .trim()
          .replace(/^type /, '')
          .replace(/^.* as /, ''),
      ),
    )
      .flat()
      .filter((name) => name !== ''),
    ...Array.from(
      text.matchAll(/export declare (?:abstract )?(?:const|function|class|enum) (\w+)/g),
      ([, name]) => name as string,
    ),
  ])
}

describe.each(Object.keys(entries) as (keyof typeof entries)[])('%s', (version) => {
  test.each(entries[version])('every name of its entry "%s" has a row', async (entry) => {
    const names = await readNames(version, entry)
    expect(names.length).toBeGreaterThan(0)
    const known = new Set(rows.flatMap((row) => row.names))
    expect(names.filter((name) => !known.has(name))).toEqual([])
  })
})

/** Subpaths without a counterpart, which the guide names. */
const withoutCounterpart = ['./vite', './vite/client', './experimental']

test.each(Object.keys(entries))('every subpath of %s can be resolved, or is in the guide', async (version) => {
  const readExports = async (file: string): Promise<string[]> => {
    const manifest = JSON.parse(await readFile(file, 'utf8')) as { exports: object }
    return Object.keys(manifest.exports)
  }
  const theirs = await readExports(join(modules, version, 'package.json'))
  const ours = await readExports(join(import.meta.dirname, '../../../packages/msw/package.json'))
  const isOurs = (path: string): boolean =>
    ours.some((own) => own === path || (own.endsWith('*') && path.startsWith(own.slice(0, -1))))
  const missing = theirs.filter((path) => !isOurs(path))
  expect(missing.filter((path) => !withoutCounterpart.includes(path))).toEqual([])
  const text = await readFile(guide, 'utf8')
  for (const path of missing) expect(text).toContain(`\`msw${path.slice(1)}\``)
})

test('a value that is the same exists', () => {
  const same = rows.filter(({ here }) => /^same(?: \(`\/\w+`\))?(?:, for |$)/.test(here)).flatMap(({ names }) => names)
  expect(same).toContain('HttpHandler')
  expect(same).toContain('setupWorker')
  const ours = { ...engine, ...engineMsw, ...node, ...browser }
  expect(same.filter((name) => !(name in ours))).toEqual([])
})
