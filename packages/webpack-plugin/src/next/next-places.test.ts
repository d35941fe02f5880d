import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { expect, onTestFinished, test } from 'vitest'

import { locateInNext } from './next-places.ts'

const map = { version: 3, sources: ['handlers.ts'], names: [], mappings: 'AAEA;AACA;AACA' }

/** Creates the output of `next dev`. */
async function createApp(name: string, text: string): Promise<Parameters<typeof locateInNext>[1]> {
  const root = await mkdtemp(join(tmpdir(), 'understudy-next-'))
  onTestFinished(() => rm(root, { recursive: true, force: true }))
  const folder = join(root, '.next/dev/static/chunks')
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, name), text)
  return { root, distDir: '.next', basePath: '', files: [join(root, 'src/mocks/handlers.ts')] }
}

const webpackName = 'webpack-internal:///(app-pages-browser)/./src/mocks/handlers.ts'

function createWebpackScript(): string {
  const inline = Buffer.from(JSON.stringify(map)).toString('base64')
  return `eval("0\\n//# sourceMappingURL=data:application/json;base64,${inline}\\n//# sourceURL=${webpackName}\\n")`
}

test('a place in a module of webpack', async () => {
  const places = await createApp('main-app.js', createWebpackScript())
  expect(await locateInNext({ file: webpackName, line: 2, column: 1 }, places)).toEqual({
    path: places.files[0],
    name: 'src/mocks/handlers.ts',
    line: 4,
    column: 1,
  })
  expect(await locateInNext({ file: webpackName.replace('handlers', 'other'), line: 2, column: 1 }, places)).toBe(
    undefined,
  )
})

test('a place in a chunk, also after the chunk changed', async () => {
  const text = (mappings: string): string =>
    JSON.stringify({ ...map, sources: ['turbopack:///[project]/src/mocks/handlers.ts'], mappings })
  const places = await createApp('a.js.map', text('AAEA'))
  const place = { file: 'http://localhost:3000/_next/static/chunks/a.js', line: 1, column: 1 }
  expect(await locateInNext(place, places)).toMatchObject({ line: 3 })
  await writeFile(join(places.root, '.next/dev/static/chunks/a.js.map'), text('AAIA'))
  expect(await locateInNext(place, places)).toMatchObject({ line: 5 })
})

test('the output is read once for all handlers of a module, and not once for each', async () => {
  const countReads = (): number => process.getActiveResourcesInfo().filter((each) => each.startsWith('FSReq')).length
  const places = await createApp('main-app.js', createWebpackScript())
  const before = countReads()
  const first = locateInNext({ file: webpackName, line: 3, column: 1 }, places)
  const reads = countReads() - before
  expect(reads).toBeGreaterThan(0)
  const others = Array.from({ length: 100 }, () => locateInNext({ file: webpackName, line: 3, column: 1 }, places))
  expect(countReads() - before).toBe(reads)
  for (const found of await Promise.all([first, ...others])) expect(found?.line).toBe(5)
})
