import type { RenderMocking, RenderMockingOptions } from '@understudy/engine/internal/node'
import type { RunnableDevEnvironment } from 'vite'

import type { Project } from '../project.ts'
import { serverHandlersId, serverId, virtual } from '../virtual-modules.ts'
import { isOfApp, runOutsideApp, type AppMark } from './rendering-context.ts'

/** The exports of the module that the dev server evaluates in its own process. */
interface ServerModule {
  createRenderMocking(options: RenderMockingOptions): RenderMocking
  shareServer(mocking: RenderMocking, channelName: string): () => void
}
interface ServerHandlersModule {
  module: object
}

/** The original `import` of each runner that {@link beforeImports} has changed. */
const nativeImports = new WeakMap<object, RunnableDevEnvironment['runner']['import']>()

/**
 * Awaits a function before each import of an environment's runner. It must not read the runner itself: Vite creates it
 * on the first read and prints "(ssr) connected", even in projects that render nothing.
 */
export function beforeImports(environment: RunnableDevEnvironment, before: () => Promise<void>): void {
  const meet = (runner: RunnableDevEnvironment['runner']): RunnableDevEnvironment['runner'] => {
    if (nativeImports.has(runner)) return runner
    const evaluate = runner.import.bind(runner)
    nativeImports.set(runner, evaluate)
    runner.import = async (url) => {
      await before()
      return evaluate(url)
    }
    return runner
  }
  if (Object.getOwnPropertyDescriptor(environment, 'runner')) {
    meet(environment.runner)
    return
  }
  const parent = Object.getPrototypeOf(environment) as object
  Object.defineProperty(environment, 'runner', {
    configurable: true,
    get: () => meet(Reflect.get(parent, 'runner', environment) as RunnableDevEnvironment['runner']),
  })
}

/**
 * Reads the runner of an environment without the message "(ssr) connected", which Vite prints on the first read: the
 * plugin also loads handlers in projects that render nothing, to answer requests for documents.
 */
function readRunnerSilently(environment: RunnableDevEnvironment): RunnableDevEnvironment['runner'] {
  const { logger } = environment
  if (!silenced.has(environment)) {
    silenced.add(environment)
    const info = logger.info.bind(logger)
    logger.info = (text, options) => {
      if (text !== 'connected.') info(text, options)
    }
  }
  return environment.runner
}

/** The environments that do not print that their runner is connected. */
const silenced = new WeakSet<RunnableDevEnvironment>()

/** Mocking while one dev server renders pages. It loads the handlers when there is something to render. */
export class Rendering {
  readonly #project: Project
  readonly #environment: RunnableDevEnvironment
  readonly #import: (id: string) => Promise<unknown>
  #module: ServerModule | undefined
  #mocking: RenderMocking | undefined
  /** The reason why there are no handlers, or only the previous ones. */
  #problem: Error | undefined
  /** Whether the terminal shows the problem, because this process renders the app's pages. */
  #isReporting = false
  #endSharing: (() => void) | undefined
  /** The handlers file that was loaded. */
  #path: string | undefined
  #start: Promise<void> | undefined
  #preparation: Promise<void> | undefined
  #state: 'idle' | 'starting' | 'broken' | 'on' | 'ended' = 'idle'
  /** Whether it answers the app's requests. */
  #isAnswering = false
  /** The ended rendering of the same server before it restarted. It answers until this one does. */
  #previous: Rendering | undefined
  /** The marks of the app's code: its own, and those of renderings that it replaced. */
  readonly #marks: AppMark[]
  /** The mark of the app's code. */
  readonly mark: AppMark = { answeredBy: this }

  /** @param environment evaluates the app's modules in this process */
  constructor(project: Project, environment: RunnableDevEnvironment) {
    this.#project = project
    this.#environment = environment
    this.#marks = [this.mark]
    this.#import = (id) => {
      const runner = readRunnerSilently(environment)
      // Use the original function: the replaced one would wait for the start, of which this import is a part.
      return nativeImports.get(runner)?.(id) ?? runner.import(id)
    }
  }

  /** Whether the app's code must wait until the handlers are loaded. */
  get isStarting(): boolean {
    return this.#state === 'starting'
  }

  /** Starts mocking, once. Reports errors, and never rejects. */
  start(): Promise<void> {
    this.#start ??= runOutsideApp(() => this.#begin())
    return this.#start
  }

  /**
   * A file has changed: loads the current handlers if it is a handlers file, or a file whose edit may fix them. Does
   * not use hot updates, which frameworks switch off here.
   */
  renew(isOfHandlers: boolean): void {
    const isMoved = this.#state === 'on' && this.#findPath() !== this.#path
    if (isOfHandlers || isMoved || this.#state === 'broken') {
      this.#preparation = this.#preparation?.then(() => runOutsideApp(() => this.#load()))
      this.#start &&= this.#start.then(() => this.#preparation)
    }
  }

  /**
   * Returns the functions that answer requests of browsers. This loads the handlers, but does not mock requests of this
   * process.
   */
  async findAnswers(): Promise<Pick<RenderMocking, 'mayAnswer' | 'answer'> | undefined> {
    await this.#prepare()
    return this.#mocking
  }

  /**
   * The server closes.
   *
   * @param next the rendering of the new server, if the server restarts. The app may be rendering at that time: its
   *   requests are answered until the next rendering answers them
   */
  stop(next?: Rendering): void {
    if (this.#isEnded()) return
    this.#state = 'ended'
    if (!next || next.#isAnswering) this.#end(next)
    else if (this.#isAnswering) next.#previous = this
    else {
      next.#previous = this.#previous
      this.#previous = undefined
      this.#end(next)
    }
  }

  #end(next: Rendering | undefined): void {
    this.#isAnswering = false
    this.#mocking?.stop()
    this.#endSharing?.()
    for (const mark of this.#marks) mark.answeredBy = next
    if (next) next.#marks.push(...this.#marks)
    this.#endPrevious(next)
  }

  #endPrevious(next: Rendering | undefined): void {
    if (this.#previous) this.#previous.#end(next)
    this.#previous = undefined
  }

  async #begin(): Promise<void> {
    if (this.#isEnded()) return
    if (this.#state === 'idle') this.#state = 'starting'
    this.#isReporting = true
    await this.#prepare()
    const { sharesServer, serverChannel } = this.#project
    if (this.#isEnded() || !this.#mocking) return
    this.#isAnswering = true
    // First restore the globals: the new server may have evaluated another copy of the engine, which would replace the
    // replacements. The app's code cannot run in between.
    this.#endPrevious(this)
    this.#mocking.start()
    if (sharesServer) this.#endSharing = this.#module?.shareServer(this.#mocking, serverChannel)
    if (this.#problem) this.#project.report(this.#problem)
  }

  #prepare(): Promise<void> {
    this.#preparation ??= runOutsideApp(() => this.#createMocking())
    return this.#preparation
  }

  async #createMocking(): Promise<void> {
    try {
      this.#module = (await this.#import(serverId)) as ServerModule
      const { options, pagesWhileRendering: pages } = this.#project
      const { onUnhandledRequest } = options
      this.#mocking = this.#module.createRenderMocking({
        file: this.#name(),
        onUnhandledRequest,
        isOfApp: () => isOfApp(this),
        pages,
      })
    } catch (error) {
      this.#report(error as Error)
    }
    await this.#load()
  }

  /**
   * Reports a problem only if pages are rendered here. Otherwise, handlers may need a page, and the page shows the
   * error.
   */
  #report(problem: Error): void {
    this.#problem = problem
    if (this.#isReporting) this.#project.report(problem)
  }

  async #load(): Promise<void> {
    if (this.#isEnded()) return
    const { moduleGraph } = this.#environment
    const known = moduleGraph.getModuleById(virtual(serverHandlersId))
    if (known) moduleGraph.invalidateModule(known)
    this.#path = this.#findPath()
    try {
      const { module } = (await this.#import(serverHandlersId)) as ServerHandlersModule
      await this.#mocking?.take(module)
      this.#problem = undefined
      this.#project.forgetReport()
      if (!this.#isEnded()) this.#state = 'on'
    } catch (error) {
      if (this.#isEnded()) return
      if (this.#state !== 'on') this.#state = 'broken'
      if (this.#mocking) this.#report(this.#mocking.fail(error))
    }
  }

  #isEnded(): boolean {
    return this.#state === 'ended'
  }

  #findPath(): string | undefined {
    try {
      return this.#project.findHandlers().path
    } catch {
      return undefined
    }
  }

  #name(): string {
    try {
      return this.#project.findHandlers().name
    } catch {
      return 'the handlers module'
    }
  }
}
