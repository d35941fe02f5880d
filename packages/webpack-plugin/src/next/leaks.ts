import { fileURLToPath } from 'node:url'

import { findHandlers, type ResolvedOptions } from '@understudy/engine/internal/dev'

import type { Compiler } from '../compiler.ts'
import { checkLeaks } from '../leak-check.ts'
import { Project } from '../project.ts'
import { addTurbopackRules, extendWebpack, usesTurbopack, type BundlerParts } from './bundlers.ts'

/** Makes a build fail if it contains handlers or the engine. */
export function failOnLeaks<Config extends BundlerParts>(
  config: Config,
  options: ResolvedOptions,
  root: string,
): Config {
  if (usesTurbopack()) return options.leaks === 'error' ? addRule(config, options, root) : config
  const { leaks, handlers } = options
  const check = {
    apply(compiler: Compiler) {
      const project = new Project({ leaks, ...(handlers !== undefined && { handlers }) }, compiler)
      compiler.hooks.environment.tap('@understudy/webpack-plugin', () => checkLeaks(project))
    },
  }
  return extendWebpack(config, (changed) => {
    changed.plugins = [...(changed.plugins ?? []), check]
  })
}

function addRule<Config extends BundlerParts>(config: Config, options: ResolvedOptions, root: string): Config {
  const file = findName(options, root)
  const loader = fileURLToPath(new URL('leak-loader.js', import.meta.url))
  const globs = ['**/@understudy/engine/dist/**']
  if (file !== undefined) globs.push(`**/${file.replace(/[[\]{}*?!]/g, '\\$&')}`)
  return addTurbopackRules(config, root, globs, { loaders: [{ loader, options: { root } }], as: '*.js' })
}

/** Returns the name of the handlers file; `undefined` if there is none. */
function findName({ handlers }: ResolvedOptions, root: string): string | undefined {
  try {
    return findHandlers(root, handlers).name
  } catch {
    return undefined
  }
}
