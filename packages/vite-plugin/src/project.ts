import { randomBytes } from 'node:crypto'

import { findHandlers, type AppPages, type HandlersFile } from '@understudy/engine/internal/dev'
import type { ResolvedConfig } from 'vite'

import { readUnderstudyOptions, type ResolvedUnderstudyOptions, type UnderstudyOptions } from './options.ts'

/** Every plugin of ours is named after this. */
export const pluginName = '@understudy/vite-plugin'

/** What the plugin's rooms know of the project in common: its options, Vite's configuration, whether mocking is on. */
export class Project {
  readonly options: ResolvedUnderstudyOptions
  /** What is wrong with the options: told where errors are shown, because a page must not run unmocked unnoticed. */
  optionsError: Error | undefined
  /** Whether pages are mocked. */
  isOn = false
  /** Vite's configuration: there from the hook `configResolved` on. */
  declare config: ResolvedConfig
  /** The bundler's reference to the worker's file, in a build that has one. */
  workerAsset: string | undefined
  /** The name of the `BroadcastChannel` on which the panel gets the requests of this process and its threads; unique to this run. */
  readonly serverChannel: string = `understudy:server:${randomBytes(12).toString('base64url')}`
  /** The token of pages of this dev server. Requests that reveal files need it. */
  readonly pageToken: string = randomBytes(24).toString('base64url')
  #lastReport: string | undefined

  constructor(options: UnderstudyOptions) {
    try {
      this.options = readUnderstudyOptions(options)
    } catch (error) {
      this.optionsError = error as Error
      this.options = readUnderstudyOptions({})
    }
  }

  /** Whether Vite 8 bundles in development too, as an experiment. */
  get isBundledDev(): boolean {
    const { command, experimental } = this.config
    return command === 'serve' && (experimental as { bundledDev?: boolean }).bundledDev === true
  }

  /** Whether pages bring mocking with them. Those of Vitest do not: tests are mocked by what runs before them. */
  get mocksPages(): boolean {
    return this.isOn && !this.config.plugins.some(({ name }) => /^vitest(?:$|:)/.test(name))
  }

  /** The base as a path: Vite allows a whole URL (a CDN) and relative ones. */
  get basePath(): string {
    return new URL(this.config.base, 'http://localhost/').pathname
  }

  /** The path of the worker's script, and what the worker may control. */
  get workerPath(): string {
    return this.basePath + this.options.worker.file
  }

  get scope(): string {
    return this.options.worker.scope ?? this.basePath
  }

  /** The app's own pages, which handlers do not replace. */
  get pages(): AppPages {
    const { server, preview } = this.config
    const proxy = this.config.command === 'serve' ? server.proxy : preview.proxy
    return { base: this.basePath, forwarded: Object.keys(proxy ?? {}) }
  }

  /** Whether the panel shows what is requested while pages are rendered. */
  get sharesServer(): boolean {
    return this.options.panel && this.options.ssr
  }

  /** @throws for wrong options, and where there is no handlers module */
  findHandlers(): HandlersFile {
    if (this.optionsError) throw this.optionsError
    return findHandlers(this.config.root, this.options.handlers)
  }

  /** Tells the terminal what is wrong, once until it changes. */
  report(error: Error): void {
    const { logger } = this.config
    if (error.message !== this.#lastReport) logger.error(`[understudy] ${error.message}`, { timestamp: true })
    this.#lastReport = error.message
  }

  /** The reported error is fixed: if it occurs again, report it again. */
  forgetReport(): void {
    this.#lastReport = undefined
  }
}
