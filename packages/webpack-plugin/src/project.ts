import {
  findHandlers,
  readOptions,
  type HandlersFile,
  type PluginOptions,
  type ResolvedOptions,
} from '@understudy/engine/internal/dev'

import type { Compiler } from './compiler.ts'

/** What the plugin is called wherever webpack names plugins. */
export const pluginName = '@understudy/webpack-plugin'

/** What a tool that runs the compiler knows, and the compiler's options do not say. */
export interface Tool {
  /** The call that people write, for messages about its options. */
  readonly call: string
  /** Where the sockets of its dev server lead: paths, or URLs. */
  readonly sockets: readonly string[]
  /** The options `proxy` of its dev server. */
  readonly proxies: readonly unknown[]
  /** The Content Security Policies of the headers that its dev server sends with every page. */
  readonly policies: readonly string[]
  /** How its overlay shows errors of a page: a `frame` that a message opens, or the page's `error` events. */
  readonly overlay: 'frame' | 'events'
}

/** What the plugin's rooms know of the project in common: its options, and what the compiler says of it. */
export class Project {
  readonly compiler: Compiler
  readonly options: ResolvedOptions
  /** What is wrong with the options: told where errors are shown, because a page must not run unmocked unnoticed. */
  readonly optionsError: Error | undefined
  /** The tool that runs the compiler and serves its output. Default: the bundler's own dev server. */
  readonly tool: Tool | undefined

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

  /** Whether pages are mocked. By the mode: importing webpack-dev-server is enough to set `WEBPACK_SERVE`. */
  get isOn(): boolean {
    return this.options.enabled ?? this.compiler.options.mode === 'development'
  }

  /** Whether mocking is off only because neither the compiler's options nor the plugin's say what is built. */
  get isModeMissing(): boolean {
    return this.options.enabled === undefined && this.compiler.options.mode === undefined && this.hasPages
  }

  /** Whether what is built runs in pages. */
  get hasPages(): boolean {
    return this.compiler.platform.web !== false
  }

  /**
   * The public path on the dev server, with a slash at both ends: what is configured may be a whole URL (a CDN),
   * relative, or found out by the page.
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

  /** Whether panels can see the pages. No demo is seen: the panel belongs to the dev server. */
  get isShared(): boolean {
    return this.options.panel && this.isOn && this.hasPages && this.compiler.options.mode === 'development'
  }

  /** @throws for wrong options, and where there is no handlers module */
  findHandlers(): HandlersFile {
    if (this.optionsError) throw this.optionsError
    return findHandlers(this.compiler.context, this.options.handlers)
  }
}
