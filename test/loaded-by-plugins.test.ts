/** Tests that plugins load none of the engine: a build tool would start later. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

import { expect, test } from 'vitest'

import { repository } from './acceptance/project.ts'

const run = promisify(execFile)

test.each(['@understudy/vite-plugin', '@understudy/webpack-plugin', '@understudy/storybook-addon/preset'])(
  '%s loads only the part for build tools',
  async (name) => {
    const code = `
      import { registerHooks } from 'node:module'
      const files = []
      registerHooks({
        load(url, context, next) {
          files.push(url)
          return next(url, context)
        },
      })
      await import('${name}')
      console.log(JSON.stringify(files))`
    const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', code], { cwd: repository })
    const files = JSON.parse(stdout) as string[]
    const ofEngine = files.flatMap((url) => /\/engine\/(.+)$/.exec(url)?.[1] ?? [])
    expect(ofEngine).toEqual(['dist/internal-dev.js'])
  },
)

test.each(['@understudy/vite-plugin', '@understudy/webpack-plugin'])(
  '%s has only the part of import.meta that jiti 1 knows, with which Docusaurus loads its configuration',
  async (name) => {
    const code = `
      import { registerHooks } from 'node:module'
      const files = []
      registerHooks({
        load(url, context, next) {
          const loaded = next(url, context)
          if (String(loaded.source).includes('import.meta.resolve(')) files.push(url)
          return loaded
        },
      })
      await import('${name}')
      console.log(JSON.stringify(files))`
    const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', code], { cwd: repository })
    expect(JSON.parse(stdout)).toEqual([])
  },
)
