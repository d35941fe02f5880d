import type { PluginOptions } from '@understudy/engine/dev'

import type { Compiler } from './compiler.ts'
import { listSocketAddresses } from './dev-servers.ts'
import { serveInDevelopment } from './dev-serving.ts'
import { compileMockingEagerly } from './lazy-compilation.ts'
import { checkLeaks } from './leak-check.ts'
import { gatePages } from './page-gate.ts'
import { createRequest, remember } from './page-module-loader.ts'
import { pluginName, Project } from './project.ts'
import { emitWorker } from './worker-serving.ts'

/**
 * Mocks the requests of an app that webpack or Rspack builds: brings the worker and the handlers in before the app's
 * first line runs, swaps handlers as they are edited, and leaves nothing in a production build.
 *
 * @example
 * // webpack.config.js; the handlers are found in src/mocks/handlers.ts
 * export default { plugins: [new UnderstudyWebpackPlugin()] }
 */
export class UnderstudyWebpackPlugin {
  readonly #options: PluginOptions

  /** @param options see {@link PluginOptions}; a misspelt one is shown where the compiler shows its errors */
  constructor(options: PluginOptions = {}) {
    this.#options = options
  }

  apply(compiler: Compiler): void {
    const project = new Project(this.#options, compiler)
    // When defaults have been applied, and before entries are read.
    compiler.hooks.environment.tap(pluginName, () => {
      serveInDevelopment(project)
      reportErrors(project)
      if (project.isModeMissing) sayWhy(compiler)
      if (!project.isOn) checkLeaks(project)
      else if (project.hasPages) startPages(project)
    })
  }
}

/** Says that mocking is off where the configuration does not say what it is for: webpack then builds for production. */
function sayWhy(compiler: Compiler): void {
  compiler
    .getInfrastructureLogger(pluginName)
    .warn(
      'Mocking is off, because the configuration sets no "mode" and webpack then builds for production. ' +
        'Set mode: "development", or the plugin\'s option enabled: true.',
    )
}

/** Fails a compilation, as a module that is missing does, where options are wrong or there are no handlers. */
function reportErrors(project: Project): void {
  const { compiler } = project
  compiler.hooks.thisCompilation.tap(pluginName, ({ errors }) => {
    try {
      if (project.isOn) project.findHandlers()
      else if (project.optionsError) throw project.optionsError
    } catch (error) {
      errors.push(new compiler.webpack.WebpackError(`[understudy] ${(error as Error).message}`))
    }
  })
}

/** Lets every entry, and every page that a plugin makes, start with the gate. */
function startPages(project: Project): void {
  const { compiler, options, optionsError } = project
  // A demo has no dev server, and its own sockets may have the same path.
  const isServed = compiler.options.mode === 'development'
  const neverHeld = isServed ? listSocketAddresses(compiler.options) : []
  const key = remember({
    root: compiler.context,
    app: compiler.options.output.uniqueName ?? '',
    options,
    optionsError: optionsError?.message,
    isShared: project.isShared,
    neverHeld,
  })
  const request = createRequest('start', key)
  // An entry without a name belongs to all of them, those of functions and of module federation included.
  new compiler.webpack.EntryPlugin(compiler.context, request, {}).apply(compiler)
  emitWorker(project)
  gatePages(project, neverHeld)
  compileMockingEagerly(compiler.options)
  ;(compiler.options.ignoreWarnings ??= []).push(isOfMissingGraphQL)
}

/** The engine loads `graphql` where a handler needs it; apps without such handlers need not have it. */
function isOfMissingGraphQL(warning: { message: string; module?: { resource?: string } }): boolean {
  return (
    /engine[\\/](dist|src)[\\/]graphql[\\/]/.test(warning.module?.resource ?? '') && /'graphql'/.test(warning.message)
  )
}
