/** Tests which modules have a source map: real compilations. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'

import { afterEach, beforeEach, expect, test } from 'vitest'
import webpack from 'webpack'

import { UnderstudyWebpackPlugin } from './understudy-webpack-plugin.ts'

let root: string

beforeEach(async () => {
  // The engine can be resolved from this folder.
  const parent = join(import.meta.dirname, '../../../.tmp')
  await mkdir(parent, { recursive: true })
  root = await mkdtemp(join(parent, 'maps-'))
  const files = {
    'src/main.js': 'export const ran = true',
    'src/mocks/handlers.js':
      "import { http } from '@understudy/engine'\nexport const handlers = [http.get('/a', () => {})]",
  }
  for (const [file, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, file)), { recursive: true })
    await writeFile(join(root, file), text)
  }
})

afterEach(() => rm(root, { recursive: true, force: true }))

/** Compiles the app. Returns the names of the modules whose generated code has a source map. */
async function listMapped(config: webpack.Configuration): Promise<string[]> {
  const compiler = webpack({
    context: root,
    entry: './src/main.js',
    output: { path: join(root, 'dist') },
    performance: false,
    // A minimized bundle is not read.
    optimization: { minimize: false },
    ...config,
  })
  const mapped: string[] = []
  compiler.hooks.compilation.tap('test', ({ hooks }) => {
    hooks.succeedModule.tap('test', (module) => {
      if (module.originalSource()?.map()) mapped.push(module.nameForCondition() ?? '')
    })
  })
  await new Promise<void>((resolve, reject) => {
    compiler.run((error, stats) => {
      const message = stats?.hasErrors() ? stats.toString('errors-only') : undefined
      if (error || message !== undefined) reject(error ?? new Error(message))
      else resolve()
    })
  })
  return mapped
}

const ofEngine = /packages\/engine\/(?:dist|src)\//
const ofApp = /src\/(?:main|mocks\/handlers)\.js$/

test.for(['eval-source-map', 'eval-cheap-module-source-map', 'eval-cheap-source-map', 'source-map'])(
  'with the source maps %s, the modules of the app have maps, and those of the engine have none',
  async (devtool) => {
    const mapped = await listMapped({ mode: 'development', devtool, plugins: [new UnderstudyWebpackPlugin()] })
    expect(mapped.filter((name) => ofApp.test(name))).toHaveLength(2)
    expect(mapped.filter((name) => ofEngine.test(name))).toEqual([])
  },
)

test('a build with mocks maps the engine too', async () => {
  const mapped = await listMapped({
    mode: 'production',
    devtool: 'source-map',
    plugins: [new UnderstudyWebpackPlugin({ enabled: true })],
  })
  expect(mapped.filter((name) => ofEngine.test(name))).not.toEqual([])
})
