import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'

import { afterAll, beforeAll, expect, test } from 'vitest'

import { listBuiltPlaces } from './built-places.ts'

const source = `import { http } from '@understudy/engine'

export const first = http.get('/boats', resolve)
export const second = http.get('/boats', resolve)
export const other = http.post<never, Boat>('/tides', resolve)
`
let folder: string
let name: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'places-'))
  await writeFile(join(folder, 'a.stories.ts'), source)
  name = relative(process.cwd(), join(folder, 'a.stories.ts')).replaceAll('\\', '/')
})
afterAll(() => rm(folder, { recursive: true }))

/** All calls of the file are attributed to the first source of the map, at its line 9. */
const createMap = (sources: Record<string, string>) => ({
  version: 3,
  sources: Object.keys(sources),
  sourcesContent: Object.values(sources),
  names: [],
  mappings: 'AAQA',
})
const toPath = (path: string): string => join(folder, path)
const code = 't.L.get("/boats",r),t.L.get("/boats",r),t.L.post(`/tides`,r),t.L.get(path,r)'

test('equal calls are found by their order, and others by the source map', () => {
  expect(listBuiltPlaces(code, createMap({ 'a.stories.ts': source }), toPath)).toEqual({
    '1:3': `${name}:3:27`,
    '1:5': `${name}:3:27`,
    '1:23': `${name}:4:28`,
    '1:25': `${name}:4:28`,
    '1:43': `${name}:5:27`,
    '1:45': `${name}:5:27`,
    '1:64': `${name}:9:1`,
    '1:66': `${name}:9:1`,
  })
})

test('a call that the map attributes to a module without handlers belongs to the only module that contains it', () => {
  const map = createMap({ 'style.css': '', 'a.stories.ts': source })
  expect(listBuiltPlaces('t.L.post("/tides",r),map.get(key)', map, toPath)).toEqual({
    '1:3': `${name}:5:27`,
    '1:5': `${name}:5:27`,
  })
})

test('modules that do not import the engine, and packages, have no handlers', () => {
  const map = createMap({ 'node_modules/a.stories.ts': source, 'b.ts': 'map.get("/boats")' })
  expect(listBuiltPlaces(code, map, toPath)).toEqual({})
})
