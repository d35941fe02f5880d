import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

import { expect, test } from 'vitest'

import { readUnderstudyOptions } from './options.ts'

test('the documentation has every option, and no other', async () => {
  const page = await readFile(join(import.meta.dirname, '../../../docs/vite.md'), 'utf8')
  const [, table = ''] =
    /## Options\n[^]*?\n\| Option \| Default \| Meaning \|\n\|[-|]+\|\n([^]*?)\n\n/.exec(page) ?? []
  const documented = Array.from(table.matchAll(/^\| `(\w+)`/gm), ([, name = '']) => name)

  let message = ''
  try {
    readUnderstudyOptions({ '?': true } as object)
  } catch (error) {
    ;({ message } = error as Error)
  }
  const options = /The options are: (.*)\./.exec(message)?.[1]?.split(', ') ?? []
  expect(options.length).toBeGreaterThan(5)
  expect(documented.toSorted()).toEqual(options.toSorted())
})

test('reads the entry, which is a file name or a list of them', () => {
  expect(readUnderstudyOptions(undefined)).toMatchObject({ entry: undefined })
  expect(readUnderstudyOptions({ entry: 'src/main.ts' })).toMatchObject({ entry: ['src/main.ts'] })
  expect(readUnderstudyOptions({ entry: ['a.ts', 'b.ts'] })).toMatchObject({ entry: ['a.ts', 'b.ts'] })
})

test.each([
  [[1], '[1]'],
  [[], '[]'],
  ['', '""'],
])('refuses the entry %o', (entry, shown) => {
  expect(() => readUnderstudyOptions({ entry } as object)).toThrow(
    `"entry" is ${shown}. It takes a file name, or a list of them.`,
  )
})
