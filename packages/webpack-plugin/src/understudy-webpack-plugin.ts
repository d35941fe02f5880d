import type { PluginOptions } from '@understudy/engine/internal/dev'

import type { Compiler } from './compiler.ts'
import { extendDevServer } from './dev-server/dev-serving.ts'
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

  /**
   * Makes a dev server serve the panel if a tool passes it options that are not those of the compiler, as Create React App and
   * Vue CLI do. Dev servers with the compiler's options need no call.
   *
   * @param options the options of webpack-dev-server 4.7 or later, or of Rspack's dev server. They are changed
   * @returns the same options
   *
   * @example
   * // vue.config.js
   * const understudy = new UnderstudyWebpackPlugin()
   * module.exports = { configureWebpack: { plugins: [understudy] }, devServer: understudy.extendDevServer({}) }
   */
  extendDevServer<Options extends object>(options: Options): Options {
    extendDevServer(options)
    return options
  }
}
