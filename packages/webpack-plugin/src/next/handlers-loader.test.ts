import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'

import { afterAll, expect, test } from 'vitest'

const root = mkdtempSync(join(tmpdir(), 'understudy-next-'))
const write = (name: string, text: string): string => {
  const path = join(root, name)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
  return path
}
write(
  'tsconfig.json',
  '{ // comment\n "compilerOptions": { "paths": { "@/*": ["./src/*"], "exact": ["./src/word"], }, } }',
)

afterAll(() => rmSync(root, { recursive: true }))

/** Runs statements in a separate process, because Vitest evaluates `import()` itself without Node's hooks. */
async function run(statements: string): Promise<unknown> {
  const script = `import { writeFileSync as write } from 'node:fs'
import { HandlersLoader } from ${JSON.stringify(join(import.meta.dirname, 'handlers-loader.ts'))}
const loader = new HandlersLoader(${JSON.stringify(root)})
const attempt = (path) => loader.load(path).catch(({ message, stack }) => ({ message, stack }))
${statements}
console.log(JSON.stringify(result))`
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script])
  return JSON.parse(stdout)
}

test('imports without extensions, of folders, JSON files and by paths of tsconfig.json are found', async () => {
  write('src/word.ts', 'export const word: string = "word"')
  write('src/folder/index.ts', 'export const folder = "folder"')
  write('src/data.json', '{ "of": "data" }')
  write('src/old.cjs', 'exports.old = "old"')
  const path = write(
    'src/handlers.ts',
    `import { word } from '@/word'
import { word as same } from 'exact'
import { word as written } from './word.js'
import { folder } from './folder'
import data from './data.json'
import old from './old.cjs'
export const handlers: string[] = [word, same, written, folder, data.of, old.old]`,
  )
  const { handlers } = (await run(`const result = await loader.load(${JSON.stringify(path)})`)) as { handlers: unknown }
  expect(handlers).toEqual(['word', 'word', 'word', 'folder', 'data', 'old'])
})

test('a changed module and its importers are evaluated again, and others are not', async () => {
  write('a/count.ts', 'export const count = (globalThis.evaluations = (globalThis.evaluations ?? 0) + 1)')
  const leaf = write('a/leaf.ts', 'export const leaf = 1')
  write('a/between.ts', "export { leaf } from './leaf'")
  const path = write(
    'a/handlers.ts',
    "import { leaf } from './between'\nimport { count } from './count'\nexport { leaf, count }",
  )
  const [leafPath, handlersPath] = [leaf, path].map((each) => JSON.stringify(each))
  const result = await run(`const before = await loader.load(${handlersPath})
write(${leafPath}, 'export const leaf = 2')
loader.renew(${leafPath})
const result = [before, await loader.load(${handlersPath})]`)
  expect(result).toEqual([
    { leaf: 1, count: 1 },
    { leaf: 2, count: 1 },
  ])
})

test('an error contains the source file and line, and the next version is evaluated', async () => {
  const path = JSON.stringify(
    write('b/(shop)/[id]/handlers.ts', 'interface A { b: string }\nnowhere()\nexport const handlers = []'),
  )
  const [error, next] = (await run(`const error = await attempt(${path})
write(${path}, 'export const handlers = []')
loader.renew(${path})
const result = [error, await loader.load(${path})]`)) as [Error, object]
  expect(error.message).toBe('nowhere is not defined')
  expect(error.stack).toContain(`${JSON.parse(path)}:2:1`)
  expect(error.stack).not.toContain('?understudy')
  expect(error.stack).not.toContain(`file://${JSON.parse(path)}`)
  expect(next).toHaveProperty('handlers', [])
})

test.for([
  ['const a = ', /handlers\.ts/],
  ["import './no'", /Cannot find module .*no/],
  ['enum A { B }', /Install "typescript"/],
] as const)('%s is an error with the reason', async ([text, reason]) => {
  const path = JSON.stringify(write('c/handlers.ts', text))
  expect(await run(`const result = await attempt(${path})`)).toHaveProperty('message', expect.stringMatching(reason))
})

test('imports of other modules are left to Node', async () => {
  const path = JSON.stringify(write('e/app.mjs', 'export const { url } = import.meta'))
  expect(await run(`const result = (await import(${path})).url`)).not.toContain('?understudy')
})

test('a Node without hooks for modules is named', async () => {
  const loader = JSON.stringify(join(import.meta.dirname, 'handlers-loader.ts'))
  const older = `import module from 'node:module'
const { registerHooks, ...rest } = module
export const { createRequire, isBuiltin } = module
export default rest`
  const script = `import { registerHooks } from 'node:module'
registerHooks({
  resolve: (specifier, context, next) =>
    specifier === 'node:module' && context.parentURL.endsWith('handlers-loader.ts')
      ? { url: ${JSON.stringify(`data:text/javascript,${encodeURIComponent(older)}`)}, format: 'module', shortCircuit: true }
      : next(specifier, context),
})
const { HandlersLoader } = await import(${loader})
try { new HandlersLoader('/') } catch ({ message }) { console.log(message) }`
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script])
  expect(stdout).toMatch(/Node [\d.]+ has no module\.registerHooks\. Use Node 22\.15 or later\. \(US0862\)/)
})
