import type { PluginOptions } from '@understudy/engine/internal/dev'

import type { Compiler } from './compiler.ts'
import { mockApp } from './mock-app.ts'
import { Project } from './project.ts'

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
    mockApp(new Project(this.#options, compiler))
  }
}
