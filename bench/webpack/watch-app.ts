/**
 * Watches an app with webpack or Rspack, and measures rebuilds:
 * `node watch-app.ts <webpack|Rspack> <folder> <whether Understudy's plugin is in use>`.
 *
 * Sends `'ready'` after the first build. For each message (a number), writes it to the edited module, and sends the time of
 * the rebuild, in milliseconds.
 */
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

import { rspack } from '@rspack/core'
import type { UnderstudyWebpackPlugin } from '@understudy/webpack-plugin'
import HtmlPlugin from 'html-webpack-plugin'
import webpack from 'webpack'

const [, , tool, folder = '', isMocked] = process.argv
const plugins = isMocked === 'true' ? [await createPlugin()] : []
const options = {
  context: folder,
  mode: 'development',
  entry: './src/main.js',
  devtool: 'eval-cheap-module-source-map',
  output: { path: join(folder, 'dist') },
  // A dev server writes no files.
  infrastructureLogging: { level: 'error' },
} as const
const compiler =
  tool === 'Rspack'
    ? rspack({ ...options, plugins: [new rspack.HtmlRspackPlugin(), ...plugins] })
    : webpack({ ...options, plugins: [new HtmlPlugin(), ...plugins] })

let report: (milliseconds: number) => void = () => {}
// The plugin's own files may cause a second build at the start.
let isFirst = true
compiler.watch({ aggregateTimeout: 20 }, (error: Error | null, stats) => {
  if (error) throw error
  if (!stats || stats.hasErrors()) throw new Error(stats?.toString('errors-only') ?? 'There are no statistics.')
  const { startTime, endTime } = stats as { startTime: number; endTime: number }
  if (isFirst) process.send?.('ready')
  isFirst = false
  report(endTime - startTime)
})

process.on('message', (value) => {
  void (async () => {
    const measured = new Promise<number>((resolve) => {
      report = resolve
    })
    await writeFile(join(folder, 'src/modules/m500.js'), `export default ${Number(value)}\n`)
    process.send?.(await measured)
  })()
})
/** Creates the plugin that is installed in the app. */
async function createPlugin(): Promise<UnderstudyWebpackPlugin> {
  const entry = join(folder, 'node_modules/@understudy/webpack-plugin/dist/index.js')
  const plugin = (await import(pathToFileURL(entry).href)) as typeof import('@understudy/webpack-plugin')
  return new plugin.UnderstudyWebpackPlugin({ quiet: true })
}

await once(process, 'disconnect')
process.exit()
