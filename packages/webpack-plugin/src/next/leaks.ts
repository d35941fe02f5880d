import { fileURLToPath } from 'node:url'

import { findHandlers, type ResolvedOptions } from '@understudy/engine/internal/dev'

import type { Compiler } from '../compiler.ts'
import { checkLeaks } from '../leak-check.ts'
import { Project } from '../project.ts'
import { extendWebpack, usesTurbopack, type BundlerParts } from './bundlers.ts'

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
  const engine = String.raw`(^|/)@understudy/engine/dist/`
  const path = new RegExp(
    file === undefined ? engine : `${engine}|(^|/)${file.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}$`,
  )
  const rule = {
    condition: { path },
    loaders: [{ loader: fileURLToPath(new URL('leak-loader.js', import.meta.url)), options: { root } }],
    as: '*.js',
  }
  const rules: Record<string, unknown> = { ...config.turbopack?.rules }
  rules['*'] = '*' in rules ? [rules['*'], rule].flat() : rule
  return { ...config, turbopack: { ...config.turbopack, rules } }
}

/** Returns the name of the handlers file; `undefined` if there is none. */
function findName({ handlers }: ResolvedOptions, root: string): string | undefined {
  try {
    return findHandlers(root, handlers).name
  } catch {
    return undefined
  }
}
