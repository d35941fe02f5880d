/** Tests source positions in a module of Vite's module graph, without a dev server. */
import type { SourceMapPayload } from 'node:module'

import type { ViteDevServer } from 'vite'
import { expect, test } from 'vitest'

import { Project } from '../project.ts'
import { locate } from './source-places.ts'

test('the source map of a module is parsed once for all its handlers', async () => {
  let reads = 0
  const map = {
    version: 3,
    names: [],
    mappings: Array.from({ length: 50 }, () => 'AAEA').join(';'),
    get sources() {
      reads += 1
      return ['handlers.ts']
    },
  } as unknown as SourceMapPayload
  const module = { file: '/app/handlers.ts', transformResult: { map } }
  const moduleGraph = { getModuleByUrl: () => Promise.resolve(module) }
  const server = { environments: { client: { moduleGraph } } } as unknown as ViteDevServer
  const project = Object.assign(new Project({}), { config: { root: '/app', base: '/' } })
  const ask = (line: number): ReturnType<typeof locate> =>
    locate({ file: 'http://localhost/handlers.ts', line, column: 1 }, server, project)

  expect(await ask(1)).toEqual({ path: '/app/handlers.ts', name: 'handlers.ts', line: 3, column: 1 })
  const readsOfOne = reads
  expect(readsOfOne).toBeGreaterThan(0)
  const places = await Promise.all(Array.from({ length: 50 }, (_, index) => ask(index + 1)))
  expect(places.at(-1)).toMatchObject({ line: 101 })
  expect(reads).toBe(readsOfOne)
})
