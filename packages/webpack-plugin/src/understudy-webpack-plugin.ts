import type { PluginOptions } from '@understudy/engine/internal/dev'

import type { Compiler } from './compiler.ts'
import { mockApp } from './mock-app.ts'
import { Project } from './project.ts'

/**
 * Mocks the requests of an app that webpack or Rspack builds: loads the worker and the handlers before the app's first
 * line runs, replaces handlers when they are edited, and adds nothing to a production build.
 *
 * @example
 * // webpack.config.js; the handlers are found in src/mocks/handlers.ts
 * export default { plugins: [new UnderstudyWebpackPlugin()] }
 */
export class UnderstudyWebpackPlugin {
  readonly #options: PluginOptions

  /** @param options see {@link PluginOptions}. A misspelled option is shown as an error of the compiler */
  constructor(options: PluginOptions = {}) {
    this.#options = options
  }

  apply(compiler: Compiler): void {
    mockApp(new Project(this.#options, compiler))
  }
}
