/** Tests that plugins load few files, and none of the engine: a build tool would start later. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

import { expect, test } from 'vitest'

import { repository } from './acceptance/project.ts'

const run = promisify(execFile)

/** Returns the URLs and the sources of the modules that Node loads for a package. */
async function listLoaded(name: string): Promise<readonly { url: string; source: string }[]> {
  const code = `
    import { registerHooks } from 'node:module'
    const files = []
    registerHooks({
      load(url, context, next) {
        const loaded = next(url, context)
        files.push({ url, source: String(loaded.source) })
        return loaded
      },
    })
    await import('${name}')
    console.log(JSON.stringify(files))`
  const options = { cwd: repository, maxBuffer: Infinity }
  const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', code], options)
  return JSON.parse(stdout) as { url: string; source: string }[]
}

test.each(['@understudy/vite-plugin', '@understudy/webpack-plugin', '@understudy/storybook-addon/preset'])(
  '%s loads only the part for build tools',
  async (name) => {
    const ofEngine = (await listLoaded(name)).flatMap(({ url }) => /\/engine\/(.+)$/.exec(url)?.[1] ?? [])
    expect(ofEngine).toEqual(['dist/internal-dev.js'])
  },
)

test('the plugin for Vite opens four files', async () => {
  const files = (await listLoaded('@understudy/vite-plugin')).filter(({ url }) => url.startsWith('file:'))
  expect(files.map(({ url }) => /\/packages\/(.+)$/.exec(url)?.[1])).toEqual([
    'vite-plugin/dist/index.js',
    expect.stringMatching(/^vite-plugin\/dist\/shared\/\w+\.js$/),
    'engine/dist/internal-dev.js',
    'panel/dist/server.js',
  ])
})

test.each(['@understudy/vite-plugin', '@understudy/webpack-plugin'])(
  '%s has only the part of import.meta that jiti 1 knows, with which Docusaurus loads its configuration',
  async (name) => {
    const loaded = await listLoaded(name)
    const odd = loaded.filter(({ source }) => source.includes('import.meta.resolve('))
    expect(odd.map(({ url }) => url)).toEqual([])
  },
)
