import { expect, test } from 'vitest'

import { locateSources, readSource } from './locate-sources.ts'

/** A module with one line, which is line 3 of its source. It contains its source map. */
function createModule(source: string): string {
  const map = { version: 3, sources: [source], sourcesContent: ['\n\nhandle()'], names: [], mappings: 'AAEA' }
  const url = `data:application/json;base64,${btoa(JSON.stringify(map))}`
  return `data:text/javascript;base64,${btoa(`handle()\n//# sourceMappingURL=${url}`)}`
}

test.for([
  'webpack://harbour/./src/mocks/handlers.ts',
  'webpack://harbour/./src/mocks/handlers.ts?a1b2',
  'webpack://@sea/harbour/./src/mocks/handlers.ts',
  'webpack:///./src/mocks/handlers.ts',
])('a source that webpack names %s', async (source) => {
  const file = createModule(source)
  expect(await locateSources([{ file, line: 1, column: 1 }])).toMatchObject([
    { path: 'src/mocks/handlers.ts', name: 'src/mocks/handlers.ts', line: 3 },
  ])
})

test('a module without a map keeps the page’s position', async () => {
  expect(await locateSources([{ file: 'data:text/javascript,handle()', line: 1, column: 1 }])).toEqual([null])
})

test('the text of a source, with the position in it; nothing without a map', async () => {
  const file = createModule('webpack://harbour/./src/mocks/handlers.ts')
  expect(await readSource({ file, line: 1, column: 1 })).toMatchObject({ text: '\n\nhandle()', line: 3, column: 1 })
  expect(await readSource({ file: 'data:text/javascript,handle()', line: 1, column: 1 })).toBe(undefined)
})
