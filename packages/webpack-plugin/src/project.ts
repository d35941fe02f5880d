import {
  findHandlers,
  readOptions,
  type HandlersFile,
  type PluginOptions,
  type ResolvedOptions,
} from '@understudy/engine/internal/dev'

import type { Compiler } from './compiler.ts'

/** The name of the plugin in webpack. */
export const pluginName = '@understudy/webpack-plugin'

/** Settings of the tool that runs the compiler, which are not in the compiler's options. */
export interface Tool {
  /** The call of the plugin in the configuration, for messages about its options. */
  readonly call: string
  /** The addresses of its dev server's sockets: paths or URLs. */
  readonly sockets: readonly string[]
  /** The options `proxy` of its dev server. */
  readonly proxies: readonly unknown[]
  /** The Content Security Policies of the headers that its dev server sends with every page. */
  readonly policies: readonly string[]
  /**
   * How its overlay shows errors of a page: in a `frame` that a message opens, or because of the page's `error` events.
   */
  readonly overlay: 'frame' | 'events'
}

/** The state of a project that all parts of the plugin share: its options, and values of the compiler. */
export class Project {
  readonly compiler: Compiler
  readonly options: ResolvedOptions
  /** The error of invalid options. It is shown in the overlay, so that a page does not run unmocked unnoticed. */
  readonly optionsError: Error | undefined
  /** The tool that runs the compiler and serves its output. Default: the bundler's own dev server. */
  readonly tool: Tool | undefined
  /** Called before the first compilation if a dev server serves the panel. */
  linkPanel: () => void = () => {}

  constructor(options: PluginOptions, compiler: Compiler, tool?: Tool) {
    this.compiler = compiler
    this.tool = tool
    const call = tool?.call ?? 'new UnderstudyWebpackPlugin()'
    try {
      this.options = readOptions(options, call)
    } catch (error) {
      this.optionsError = error as Error
      this.options = readOptions({}, call)
    }
  }

  /**
   * Whether pages are mocked. It depends on the mode, and not on `WEBPACK_SERVE`, which importing webpack-dev-server
   * sets.
   */
  get isOn(): boolean {
    return this.options.enabled ?? this.compiler.options.mode === 'development'
  }

  /** Whether mocking is off only because neither the compiler's options nor the plugin's set a mode. */
  get isModeMissing(): boolean {
    return this.options.enabled === undefined && this.compiler.options.mode === undefined && this.hasPages
  }

  /** Whether the output runs in pages. */
  get hasPages(): boolean {
    return this.compiler.platform.web !== false
  }

  /**
   * The public path on the dev server, with a slash at both ends. The configured value may be a whole URL (a CDN),
   * relative, or `auto`.
   */
  get basePath(): string {
    const { publicPath } = this.compiler.options.output
    const base = typeof publicPath === 'string' && publicPath !== 'auto' ? publicPath : '/'
    return new URL('.', new URL(base, 'http://localhost/')).pathname
  }

  /** The path of the worker's script on the dev server. */
  get workerPath(): string {
    return this.basePath + this.options.worker.file
  }

  /** Whether panels can see the pages. They cannot in a build, because the dev server serves the panel. */
  get isShared(): boolean {
    return this.options.panel && this.isOn && this.hasPages && this.compiler.options.mode === 'development'
  }

  /** @throws {UnderstudyError} if the options are not valid or there is no handlers module */
  findHandlers(): HandlersFile {
    if (this.optionsError) throw this.optionsError
    return findHandlers(this.compiler.context, this.options.handlers)
  }
}
