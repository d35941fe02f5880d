/** Tests an app without the package `graphql`, outside of this repository, which has the package: real compilations. */
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

import { afterEach, beforeEach, expect, test } from 'vitest'
import webpack from 'webpack'

import { ignoreMissingGraphQL } from './missing-graphql.ts'
import { extendWebpack, type WebpackConfig } from './next/bundlers.ts'
import { UnderstudyWebpackPlugin } from './understudy-webpack-plugin.ts'

let root: string

beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'understudy-graphql-')))
  const missing = "export async function load() { try { return await import('graphql') } catch { return undefined } }"
  const files = {
    'src/main.js': "import '@understudy/engine'\nimport './own.js'",
    'src/own.js': missing,
    'node_modules/@understudy/engine/package.json': JSON.stringify({
      exports: { node: './dist/for-node/graphql-package-1.js', default: './dist/shared/graphql.js' },
      type: 'module',
    }),
    'node_modules/@understudy/engine/dist/shared/graphql.js': missing,
    'node_modules/@understudy/engine/dist/for-node/graphql-package-1.js': missing,
    'src/mocks/handlers.js': 'export const handlers = []',
  }
  for (const [file, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, file)), { recursive: true })
    await writeFile(join(root, file), text)
  }
})

afterEach(() => rm(root, { recursive: true, force: true }))

/** The modules with a warning. */
async function compile(change: (config: WebpackConfig) => unknown): Promise<string[]> {
  const config: webpack.Configuration = { context: root, mode: 'development', entry: './src/main.js' }
  change(config)
  const compiler = webpack(config)
  const stats = await new Promise<webpack.Stats | undefined>((resolve, reject) => {
    compiler.run((error, result) => (error ? reject(error) : resolve(result)))
  })
  return (stats?.toJson({ warnings: true }).warnings ?? []).map(({ moduleName = '' }) => moduleName)
}

const engine = './node_modules/@understudy/engine/dist/shared/graphql.js'
const engineForNode = './node_modules/@understudy/engine/dist/for-node/graphql-package-1.js'
const own = './src/own.js'

test('a compiler prints a warning', async () => {
  expect((await compile(() => {})).toSorted()).toEqual([engine, own])
})

test("the engine's warning is removed, and the app's own stays", async () => {
  expect(await compile(ignoreMissingGraphQL)).toEqual([own])
})

test('the plugin removes it from the build for a server', async () => {
  const change = (config: WebpackConfig): unknown => Object.assign(config, { target: 'node' })
  expect((await compile(change)).toSorted()).toEqual([engineForNode, own])
  const changeWithPlugin = (config: WebpackConfig): unknown =>
    Object.assign(config, { target: 'node', plugins: [new UnderstudyWebpackPlugin()] })
  expect(await compile(changeWithPlugin)).toEqual([own])
})

test("in the configuration of Next.js, after the app's own function, whose rules remain", async () => {
  const { webpack: change } = extendWebpack(
    { webpack: (config: WebpackConfig) => ({ ...config, ignoreWarnings: [/nothing/] }) },
    ignoreMissingGraphQL,
  )
  const warnings = await compile((config) => Object.assign(config, change(config)))
  expect(warnings).toEqual([own])
})
