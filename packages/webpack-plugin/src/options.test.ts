import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

import { expect, test } from 'vitest'

import type { Compiler } from './compiler.ts'
import { Project } from './project.ts'

const messageOf = (options: object): string | undefined => new Project(options, {} as Compiler).optionsError?.message

test('the documentation has every option, and no other', async () => {
  const page = await readFile(join(import.meta.dirname, '../../../docs/webpack.md'), 'utf8')
  const [, table = ''] =
    /## Options\n[^]*?\n\| Option \| Default \| Meaning \|\n\|[-|]+\|\n([^]*?)\n\n/.exec(page) ?? []
  const documented = Array.from(table.matchAll(/^\| `(\w+)`/gm), ([, name = '']) => name)

  const options = /The options are: (.*)\./.exec(messageOf({ '?': true }) ?? '')?.[1]?.split(', ') ?? []
  expect(options.length).toBeGreaterThan(5)
  expect(documented.toSorted()).toEqual(options.toSorted())
})

test('the entry of the Vite plugin is not an option: the compiler has its entries', () => {
  expect(messageOf({ entry: 'src/main.ts' })).toContain('there is no option "entry"')
})
