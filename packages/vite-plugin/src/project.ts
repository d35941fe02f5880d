import { randomBytes } from 'node:crypto'

import { findHandlers, type AppPages, type HandlersFile } from '@understudy/engine/internal/dev'
import type { ResolvedConfig } from 'vite'

import { readUnderstudyOptions, type ResolvedUnderstudyOptions, type UnderstudyOptions } from './options.ts'
import { findPageData, findRenderedData } from './page/page-data.ts'

/** The name of the plugin. Names of its sub-plugins begin with it. */
export const pluginName = '@understudy/vite-plugin'

/** The pages of the app, where another server has them: Vite only serves what mocking adds. */
export interface PagesElsewhere {
  /** The path below which they are, with a slash at its end. */
  readonly base: string
}

/**
 * Returns whether the addon for Storybook mocks the pages of a Vite server. It uses the project's handlers, too. Storybook loads the
 * app's configuration, so that it contains both.
 */
export function isOfStorybook({ plugins }: Pick<ResolvedConfig, 'plugins'>): boolean {
  return plugins.some(({ name }) => name === '@understudy/storybook-addon')
}

/** The state of a project that all parts of the plugin share: its options, Vite's configuration, and whether mocking is on. */
export class Project {
  readonly options: ResolvedUnderstudyOptions
  /** The error of invalid options. It is shown in the overlay, so that a page does not run unmocked unnoticed. */
  optionsError: Error | undefined
  /** Whether mocking is enabled, by the options or because a dev server runs. */
  isEnabled = false
  /** Vite's configuration, which is available from the hook `configResolved` on. */
  declare config: ResolvedConfig
  /** The bundler's reference to the worker's file, in a build that has one. */
  workerAsset: string | undefined
  /** The name of the `BroadcastChannel` on which the panel gets the requests of this process and its threads; unique to this run. */
  readonly serverChannel: string = `understudy:server:${randomBytes(12).toString('base64url')}`
  /** The token of pages of this dev server. Requests that reveal files need it. */
  readonly pageToken: string = randomBytes(24).toString('base64url')
  /** Whether the last bootstrap module of the dev server says that there are no handlers. */
  areHandlersMissing = false
  readonly #pagesElsewhere: PagesElsewhere | undefined
  #lastReport: string | undefined

  /** @param pagesElsewhere the default is that Vite serves the pages */
  constructor(options: UnderstudyOptions, pagesElsewhere?: PagesElsewhere) {
    this.#pagesElsewhere = pagesElsewhere
    try {
      this.options = readUnderstudyOptions(options)
    } catch (error) {
      this.optionsError = error as Error
      this.options = readUnderstudyOptions({})
    }
  }

  /** Whether pages are mocked. */
  get isOn(): boolean {
    return this.isEnabled && !isOfStorybook(this.config)
  }

  /** Whether Vite 8 also bundles in development (an experiment). */
  get isBundledDev(): boolean {
    const { command, experimental } = this.config
    return command === 'serve' && (experimental as { bundledDev?: boolean }).bundledDev === true
  }

  /** Whether pages contain mocking. Pages of Vitest do not, because a setup file mocks tests. */
  get mocksPages(): boolean {
    return this.isOn && !this.#isOfVitest
  }

  get #isOfVitest(): boolean {
    return this.config.plugins.some(({ name }) => /^vitest(?:$|:)/.test(name))
  }

  /**
   * Whether web workers get the script for their WebSockets. Those of Vitest may run in Node. In Storybook, pages are mocked by the
   * addon.
   */
  get mocksWebWorkers(): boolean {
    return this.isEnabled && !this.#isOfVitest
  }

  /**
   * The folder of the project, from which the names of files start. It is Vite's root, unless a tool has the root in one of its
   * packages, as Ladle does: then it is the folder in which the tool was started.
   */
  get folder(): string {
    const { root } = this.config
    return root.includes('/node_modules/') ? process.cwd().replaceAll('\\', '/') : root
  }

  /** The base as a path. Vite also allows a whole URL (a CDN) and relative ones. */
  get basePath(): string {
    return new URL(this.config.base, 'http://localhost/').pathname
  }

  /** The path below which the app has its pages, the worker and the panel. */
  get appPath(): string {
    return this.#pagesElsewhere?.base ?? this.basePath
  }

  /** The path of the worker's script, and what the worker may control. */
  get workerPath(): string {
    return this.appPath + this.options.worker.file
  }

  get scope(): string {
    return this.options.worker.scope ?? this.appPath
  }

  /** The app's own pages, which handlers do not replace. */
  get pages(): AppPages {
    const { server, preview } = this.config
    const proxy = this.config.command === 'serve' ? server.proxy : preview.proxy
    return { base: this.appPath, forwarded: Object.keys(proxy ?? {}) }
  }

  /** The same for code that runs in pages, with the data that these request. */
  get pagesWithData(): AppPages {
    const toolFiles = findPageData(this.config)
    return { ...this.pages, ...(toolFiles && { toolFiles }) }
  }

  /** The same for code that renders pages. */
  get pagesWhileRendering(): AppPages {
    const toolFiles = findRenderedData(this.config)
    return { ...this.pages, ...(toolFiles && { toolFiles }) }
  }

  /** Whether the panel shows requests that are made while pages are rendered. */
  get sharesServer(): boolean {
    return this.options.panel && this.options.ssr
  }

  /** @throws {UnderstudyError} if the options are not valid or there is no handlers module */
  findHandlers(): HandlersFile {
    if (this.optionsError) throw this.optionsError
    return findHandlers(this.folder, this.options.handlers)
  }

  /** Returns whether the data of a message has the token of this run's pages. */
  hasPageToken(data: unknown): boolean {
    return typeof data === 'object' && data !== null && 'token' in data && data.token === this.pageToken
  }

  /** Prints an error in the terminal, once until the error changes. */
  report(error: Error): void {
    const { logger } = this.config
    if (error.message !== this.#lastReport) logger.error(`[understudy] ${error.message}`, { timestamp: true })
    this.#lastReport = error.message
  }

  /** Call this when the reported error is fixed. If it occurs again, it is reported again. */
  forgetReport(): void {
    this.#lastReport = undefined
  }
}
