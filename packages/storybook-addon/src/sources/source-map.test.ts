import { SourceMap as NodeSourceMap } from 'node:module'

import { transform } from 'esbuild'
import { expect, test } from 'vitest'

import { findOriginal, readSourceMap } from './source-map.ts'

const source = `interface Boat {
  name: string
}

export const first = create<Boat>('a', () => ({ name: 'Petrel' }))
const text: string = 'ä'; export const second = create<Boat>('b', () => null)

function create<Value>(name: string, make: () => Value | null): [string, () => Value | null] { return [name, make] }
`

test('every place of a generated file is found, as Node finds it', async () => {
  const { code, map } = await transform(source, { loader: 'ts', sourcemap: true, sourcefile: 'boats.ts' })
  const parsed = readSourceMap(map)
  const reference = new NodeSourceMap(JSON.parse(map) as ConstructorParameters<typeof NodeSourceMap>[0])
  let compared = 0
  for (const [index, line] of code.split('\n').entries()) {
    for (let column = 1; column <= line.length; column += 1) {
      const entry = reference.findEntry(index, column - 1)
      if (!('originalLine' in entry) || entry.generatedLine !== index) continue
      expect(findOriginal(parsed, index + 1, column), `${index + 1}:${column}`).toEqual({
        source: 'boats.ts',
        line: entry.originalLine + 1,
        column: entry.originalColumn + 1,
      })
      compared += 1
    }
  }
  expect(compared).toBeGreaterThan(100)
})

test('a place that is not in the map has no source', () => {
  expect(findOriginal(readSourceMap('{"sources":["a.ts"],"mappings":"AAAA"}'), 7, 1)).toBeUndefined()
  expect(findOriginal(readSourceMap('{"sources":[null],"mappings":"AAAA"}'), 1, 1)).toBeUndefined()
})
