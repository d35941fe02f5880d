import type { PluginOptions } from '@understudy/engine/internal/dev'

import type { Compiler } from './compiler.ts'
import { extendDevServer } from './dev-server/dev-serving.ts'
import { mockApp } from './mock-app.ts'
import { Project } from './project.ts'

/**
 * Mocks the requests that an app built with webpack or Rspack makes. Requests wait until mocking is on. An edit of the handlers applies
 * without a reload. Production builds contain no mocks.
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
   * Adds the panel to a dev server that a tool or a script starts with separate options, as Create React App and Vue CLI do. A dev
   * server that gets the compiler's own options has the panel without this call.
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
