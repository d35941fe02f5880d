import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'

import { afterAll, expect, test } from 'vitest'

const root = realpathSync(mkdtempSync(join(tmpdir(), 'understudy-next-')))
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

/** Writes a package of a monorepo, which package managers link in `node_modules`. */
function writeLinked(name: string, manifest: object, files: Readonly<Record<string, string>>): void {
  write(`packages/${name}/package.json`, JSON.stringify({ name, type: 'module', ...manifest }))
  for (const [file, text] of Object.entries(files)) write(`packages/${name}/${file}`, text)
  const link = join(root, 'node_modules', name)
  mkdirSync(dirname(link), { recursive: true })
  symlinkSync(join(root, 'packages', name), link, 'junction')
}

test('a changed module of a linked package, and of "imports" in package.json, is evaluated again', async () => {
  writeLinked(
    '@repo/mocks',
    { exports: { '.': './src/index.ts', './data.json': './data.json' }, imports: { '#sign': './src/sign.ts' } },
    {
      'src/index.ts': "import { sign } from '#sign'\nimport { leaf } from './leaf'\nexport const text = leaf + sign",
      'src/leaf.ts': "export const leaf: string = 'one'",
      'data.json': '{ "exports": "of a package" }',
      'src/sign.ts': "export const sign = '!'",
    },
  )
  const path = JSON.stringify(
    write(
      'f/handlers.ts',
      "import data from '@repo/mocks/data.json'\nexport { text } from '@repo/mocks'\nexport { data }",
    ),
  )
  const [leaf, sign] = ['leaf.ts', 'sign.ts'].map((file) =>
    JSON.stringify(join(root, 'packages/@repo/mocks/src', file)),
  )
  const result = await run(`const { text: first, data } = await loader.load(${path})
const isKnown = [${leaf}, ${sign}].every((file) => loader.files.includes(file))
write(${leaf}, "export const leaf = 'two'")
loader.renew(${leaf})
const second = (await loader.load(${path})).text
write(${sign}, "export const sign = '?'")
loader.renew(${sign})
const result = [data.exports, isKnown, first, second, (await loader.load(${path})).text]`)
  expect(result).toEqual(['of a package', true, 'one!', 'two!', 'two?'])
})

test('installed packages, and a linked engine, are evaluated once', async () => {
  write('node_modules/installed/package.json', '{ "type": "module", "exports": "./index.js" }')
  write('node_modules/installed/index.js', 'export const installed = {}')
  writeLinked('@understudy/engine', { exports: './index.js' }, { 'index.js': 'export const http = {}' })
  const path = JSON.stringify(
    write('g/handlers.mjs', "export { http } from '@understudy/engine'\nexport { installed } from 'installed'"),
  )
  const others = JSON.stringify(
    write('g/others.mjs', "export { http } from '@understudy/engine'\nexport { installed } from 'installed'"),
  )
  const result = await run(`const ofLoader = await loader.load(${path})
const ofNode = await import(${others})
const result = [ofLoader.http === ofNode.http, ofLoader.installed === ofNode.installed, loader.files]`)
  expect(result).toEqual([true, true, [JSON.parse(path)]])
})

test('Node finds what a linked package in CommonJS exports', async () => {
  writeLinked('@repo/data', { type: 'commonjs', main: 'index.js' }, { 'index.js': "exports.users = ['Ada']" })
  const path = JSON.stringify(write('h/handlers.ts', "export { users } from '@repo/data'"))
  expect(await run(`const result = await loader.load(${path})`)).toEqual({ users: ['Ada'] })
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
