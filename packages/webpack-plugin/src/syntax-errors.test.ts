import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'

import { afterEach, beforeEach, expect, test } from 'vitest'
import webpack from 'webpack'

import { UnderstudyWebpackPlugin } from './understudy-webpack-plugin.ts'

let root: string

beforeEach(async () => {
  // Below the repository, where the engine is found.
  const parent = join(import.meta.dirname, '../../../.tmp')
  await mkdir(parent, { recursive: true })
  root = await mkdtemp(join(parent, 'syntax-'))
  await write({
    'src/main.js': "import './shared.js'",
    'src/shared.js': 'export const shared = "the shared module"',
    'src/mocks/handlers.js': "import { answer } from './answer.js'\nexport const handlers = [answer]",
    'src/mocks/answer.js': 'export const answer = "what TypeScript made of it"',
    // Passes a file on with an error, as ts-loader does. The message is colored.
    'loader.cjs': `module.exports = function (source) {
      const { file, code } = this.getOptions()
      if (this.resourcePath.endsWith(file)) {
        this._module.addError(new Error('[tsl] ERROR in x.ts(4,1)\\n      \\u001b[91m' + code + ": '}' expected.\\u001b[39m"))
      }
      return source
    }`,
  })
})

afterEach(() => rm(root, { recursive: true, force: true }))

async function write(files: Record<string, string>): Promise<void> {
  for (const [file, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, file)), { recursive: true })
    await writeFile(join(root, file), text)
  }
}

/** Builds the app with mocks, with an error in one of its files. @returns the output */
async function build(file: string, code: string): Promise<string> {
  const config = {
    context: root,
    mode: 'development' as const,
    devtool: false as const,
    entry: './src/main.js',
    output: { path: join(root, 'dist') },
    module: { rules: [{ test: /src.*\.js$/, loader: join(root, 'loader.cjs'), options: { file, code } }] },
    plugins: [new UnderstudyWebpackPlugin()],
  }
  const errors = await new Promise<string[]>((resolve, reject) => {
    webpack(config, (error, stats) => {
      if (error) reject(error)
      else resolve((stats?.compilation.errors ?? []).map(({ message }) => message))
    })
  })
  expect(errors).toEqual([expect.stringContaining(code)])
  return readFile(join(root, 'dist/main.js'), 'utf8')
}

test.each(['mocks/handlers.js', 'mocks/answer.js'])('a syntax error in %s makes the module throw', async (file) => {
  const output = await build(file, 'TS1005')
  expect(output).toMatch(/throw new Error\(".*TS1005: '}' expected\."\)/)
  // The text for the page has no colors of the terminal.
  expect(output).not.toMatch(/throw new Error\("[^\n]*u001b/)
})

test.each([
  ['a type error in the handlers', 'mocks/answer.js', 'TS2322'],
  ['a syntax error in the app', 'src/shared.js', 'TS1005'],
])('%s changes nothing', async (_name, file, code) => {
  const output = await build(file, code)
  expect(output).not.toContain('throw new Error("[tsl]')
  expect(output).toContain(file === 'src/shared.js' ? 'the shared module' : 'what TypeScript made of it')
})
