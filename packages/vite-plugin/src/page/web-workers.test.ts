import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

import * as vite8 from 'vite'
import * as vite6 from 'vite-6'
import * as vite7 from 'vite-7'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'

import { understudy } from '../understudy.ts'

const engine = resolve(import.meta.dirname, '../../../engine')
let root: string

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'understudy-web-workers-'))
  await mkdir(join(root, 'src/mocks'), { recursive: true })
  await mkdir(join(root, 'node_modules/@understudy'), { recursive: true })
  await symlink(engine, join(root, 'node_modules/@understudy/engine'))
  await write('index.html', '<!doctype html><script type="module" src="/src/main.js"></script>')
  await write('src/main.js', "new Worker(new URL('./crunch.js', import.meta.url))")
  await write('src/mocks/handlers.js', 'export const handlers = []')
})

afterEach(() => rm(root, { recursive: true, force: true }))

const write = (file: string, text: string): Promise<void> => writeFile(join(root, file), text)

/** The three versions of Vite differ in types that these tests do not use. */
type Build = (config: vite8.InlineConfig) => Promise<unknown>

describe.each<[string, Build]>([
  ['Vite 6', vite6.build as unknown as Build],
  ['Vite 7', vite7.build as unknown as Build],
  ['Vite 8', vite8.build],
])('web workers of a build by %s', (_name, viteBuild) => {
  /** Returns the code of the web worker in a build with mocks. */
  async function build(): Promise<string> {
    const result = await viteBuild({
      root,
      configFile: false,
      logLevel: 'silent',
      plugins: [understudy({ enabled: true })],
      build: { write: false, minify: false, target: 'esnext' },
    })
    const [{ output }] = [result].flat() as [vite8.Rolldown.RolldownOutput]
    const file = output.find(({ fileName }) => /\/crunch-[^/]*\.js$/.test(fileName))
    return file?.type === 'asset' ? String(file.source) : ''
  }

  const first = 'understudy-web-socket'

  test('the script precedes the code', async () => {
    await write('src/crunch.js', 'postMessage("of the app")')
    const code = await build()
    expect(code).toContain(first)
    expect(code.indexOf(first)).toBeLessThan(code.indexOf('of the app'))
  })

  test('a web worker that begins with a hashbang', async () => {
    await write('src/crunch.js', '#!/usr/bin/env node\n// A comment.\npostMessage("of the app")')
    const code = await build()
    expect(code).toContain(first)
    expect(code.indexOf(first)).toBeLessThan(code.indexOf('of the app'))
  })

  test('a web worker in strict mode', async () => {
    await write('src/crunch.js', '"use strict"\nimportScripts("/of-the-app.js")')
    const code = await build()
    expect(code).toMatch(/^(?:\(function ?\(\) \{\s*)?["']use strict["']/)
    expect(code.indexOf(first)).toBeLessThan(code.indexOf('of-the-app'))
  })

  test.for([
    ['a module', 'export const x = 1; postMessage("of the app")'],
    ['CommonJS', 'exports.x = 1; postMessage("of the app")'],
    ['a script', 'postMessage("of the app")'],
  ] as const)('a web worker of a dependency: %s', async ([, text]) => {
    await mkdir(join(root, 'node_modules/dependency'))
    await write('node_modules/dependency/package.json', '{ "name": "dependency" }')
    await write('node_modules/dependency/crunch.js', text)
    await write('src/main.js', "import W from 'dependency/crunch.js?worker'; new W()")
    const code = await build()
    expect(code).toContain(first)
    expect(code.indexOf(first)).toBeLessThan(code.indexOf('of the app'))
  })

  test('a web worker without statements', async () => {
    await write('src/crunch.js', '#!/usr/bin/env node\n"use strict" // Nothing.')
    await expect(build()).resolves.not.toContain(first)
  })
})
