import { randomUUID } from 'node:crypto'
import { statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

import type { shareServer } from '@understudy/engine/inspect'
import { findHandlers, listHandlersPaths, type ResolvedOptions } from '@understudy/engine/internal/dev'
import type { createRenderMocking, RenderMocking } from '@understudy/engine/internal/node'

import { mockEdgeRuntime } from './edge-runtime.ts'
import { HandlersLoader } from './handlers-loader.ts'
import { isOfNext } from './own-requests.ts'
import { isForwarding, markForwarding } from './proxied-requests.ts'
import { serveRequests } from './serve-requests.ts'

/** The settings of Next's configuration. */
export interface NextSettings {
  readonly options: ResolvedOptions
  readonly basePath: string
  /** Additional host names that may show the panel. */
  readonly trustedHosts: readonly string[]
  readonly distDir: string
}

/** The interval at which the handlers' files are compared with the loaded ones, in milliseconds. */
const interval = 100

/**
 * The mocking of this process by root, because Next evaluates its configuration, and maybe this module, more than once.
 */
const running = ((globalThis as Record<symbol, unknown>)[Symbol.for('understudy:next')] ??= new Map()) as Map<
  string,
  NextMocking
>

/**
 * Mocking in the process of `next dev`. It starts while Next reads its configuration, before Next stores the global
 * `fetch`. Next restores that `fetch` whenever it compiles, so a `fetch` that a server component or
 * `instrumentation.ts` sets later is lost.
 */
export class NextMocking {
  readonly #root: string
  readonly #channel = `understudy:${randomUUID()}`
  #settings: NextSettings
  #mocking: RenderMocking | undefined
  #loader: HandlersLoader | undefined
  #start: Promise<void> | undefined
  #isServing = false
  /** When each file was modified that the handlers need, in milliseconds; 0 if it does not exist. */
  readonly #modified = new Map<string, number>()
  #timer: NodeJS.Timeout | undefined
  /** Whether the handlers must be loaded again. */
  #isStale = false
  /** Resolves when the previous load has ended. */
  #turn: Promise<void> = Promise.resolve()

  static of(root: string, settings: NextSettings): NextMocking {
    const known = running.get(root)
    if (known) known.#settings = settings
    const mocking = known ?? new NextMocking(root, settings)
    running.set(root, mocking)
    return mocking
  }

  private constructor(root: string, settings: NextSettings) {
    this.#root = root
    this.#settings = settings
  }

  /** Serves the worker and the panel, once. */
  serve(): void {
    if (this.#isServing) return
    this.#isServing = true
    const { basePath, trustedHosts, distDir, options } = this.#settings
    serveRequests({
      root: this.#root,
      basePath,
      trustedHosts,
      distDir,
      options,
      channel: this.#channel,
      listFiles: () => this.#loader?.files ?? [],
    })
  }

  /**
   * Warns if this process also mocks another app: the servers share `fetch` and the servers' `request` event, so neither requests
   * nor panels can be distinguished.
   */
  #warnOfOtherApp(): void {
    const other = [...running.values()].find((each) => each !== this && each.#start !== undefined)
    if (!other) return
    console.warn(
      `[understudy] Failed to keep two apps apart: this process serves ${other.#root} and ${this.#root}, and their servers get the ` +
        'responses and the panel of the app that started last. Start each app in a separate process. (US0873)',
    )
  }

  /** Mocks the requests of this process, once. If the handlers have an error, prints it, and requests fail. */
  start(): Promise<void> {
    if (!this.#start) this.#warnOfOtherApp()
    this.#start ??= this.#begin()
    return this.#start
  }

  async #begin(): Promise<void> {
    const engine = createImporter(this.#root)
    const node = (await engine('internal/node')) as { createRenderMocking: typeof createRenderMocking }
    const { options } = this.#settings
    const mocking = node.createRenderMocking({
      file: this.#findName(),
      onUnhandledRequest: options.onUnhandledRequest,
      isOfApp: () => !isForwarding(),
    })
    this.#mocking = mocking
    mocking.start()
    markForwarding(this.#root)
    if (!mockEdgeRuntime(this.#root)) {
      console.warn(
        '[understudy] Failed to mock requests from edge functions: this version of Next.js runs the functions elsewhere. The requests reach the network. (US0865)',
      )
    }
    if (options.panel) {
      const inspect = (await engine('inspect')) as { shareServer: typeof shareServer }
      inspect.shareServer(mocking, this.#channel)
    }
    await this.#load()
  }

  async #load(): Promise<void> {
    const { options } = this.#settings
    // Before the files are read: an edit during that time counts.
    this.#watch()
    try {
      this.#loader ??= new HandlersLoader(this.#root)
      const { path } = findHandlers(this.#root, options.handlers)
      const module: object & { onUnhandledRequest?: unknown } = await this.#loader.load(path)
      // Not enumerable: the message about a module without handlers lists what it exports.
      const policy = { value: createPolicy(module, options) }
      await this.#mocking?.take(Object.defineProperty({ ...module }, 'onUnhandledRequest', policy))
    } catch (error) {
      console.error(`[understudy] ${this.#mocking?.fail(error).message}`)
    }
    this.#watch()
  }

  #watch(): void {
    const paths = new Set([
      ...listHandlersPaths(this.#root, this.#settings.options.handlers),
      ...(this.#loader?.files ?? []),
    ])
    for (const path of paths) {
      if (!this.#modified.has(path)) this.#modified.set(path, modifiedAt(path))
    }
    // Compare the files instead of watching them: editors replace files, and containers do not forward events of the file
    // system. `watchFile` reads a file's state later than it is called, and would miss an edit until then.
    this.#timer ??= setInterval(() => this.#compare(), interval).unref()
  }

  #compare(): void {
    for (const [path, before] of this.#modified) {
      const now = modifiedAt(path)
      if (now === before) continue
      this.#modified.set(path, now)
      this.#loader?.renew(path)
      this.#reload()
    }
  }

  /** Loads files that change together at once. */
  #reload(): void {
    if (this.#isStale) return
    this.#isStale = true
    this.#turn = this.#turn.then(() => {
      this.#isStale = false
      return this.#load()
    })
  }

  #findName(): string {
    try {
      return findHandlers(this.#root, this.#settings.options.handlers).name
    } catch {
      return 'the handlers module'
    }
  }

  /** Stops checking the files. */
  stop(): void {
    clearInterval(this.#timer)
    this.#mocking?.stop()
    running.delete(this.#root)
  }
}

function modifiedAt(path: string): number {
  try {
    return statSync(path).mtimeMs
  } catch {
    return 0
  }
}

/** Returns the policy of the handlers module or of the options, except for Next's own requests. */
function createPolicy(module: { onUnhandledRequest?: unknown }, { onUnhandledRequest }: ResolvedOptions) {
  const own = module.onUnhandledRequest
  return (request: Request, print: { warning(): void; error(): void }): unknown => {
    if (isOfNext(request)) return undefined
    if (typeof own === 'function') return (own as (...args: unknown[]) => unknown)(request, print)
    if (onUnhandledRequest === 'warn') print.warning()
    if (onUnhandledRequest !== 'error') return undefined
    print.error()
    throw new TypeError(`Failed to fetch ${request.url}: no handler matches ${request.method} ${request.url}. Add one.`)
  }
}

/** Imports the same copy of the engine as the app's handlers. Another copy would have no handlers. */
function createImporter(root: string): (entry: string) => Promise<object> {
  const { resolve } = createRequire(join(root, 'package.json'))
  return (entry) => {
    let url
    try {
      url = pathToFileURL(resolve(`@understudy/engine/${entry}`)).href
    } catch {
      url = import.meta.resolve(`@understudy/engine/${entry}`)
    }
    return import(url) as Promise<object>
  }
}
