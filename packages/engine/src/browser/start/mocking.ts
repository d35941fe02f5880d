import { failure, print } from '../../core/failure.ts'
import { pickHandlers } from '../../core/handlers/pick-handlers.ts'
import type { Handler } from '../../core/handlers/request-handler.ts'
import type { AppPages } from '../../core/network/document-request.ts'
import { Network } from '../../core/network/network.ts'
import { loadScenarioSwitch } from '../../core/scenarios/load-scenario-switch.ts'
import type { ScenarioSwitch } from '../../core/scenarios/scenario-switch.ts'
import type { UnhandledRequestOption, UnhandledRequestStrategy } from '../../core/unhandled/unhandled-request.ts'
import { getGate, getPageState, type PageState } from '../gate/gate.ts'
import { navigationLimit } from '../lifecycle/time-outs.ts'
import type { LocatingPage } from '../reports/locate-printed.ts'
import { locateError, shortenPlace } from './locate-error.ts'
import { createWorker, type SetupWorker } from './setup-worker.ts'

/** The options that a plugin passes to the page. */
export interface MockingOptions {
  /** The name of the handlers module in messages. */
  file: string
  /** If `isOptional` and the script of the worker is missing, requests are answered in the page. */
  worker: { url: string; scope?: string | undefined; isOptional?: boolean }
  onUnhandledRequest: UnhandledRequestStrategy
  quiet: boolean
  /** As in the options of `worker.start()`. */
  answer?: 'page' | 'worker'
  /** The app's own pages, which handlers do not replace. Default: every path may be one. */
  pages?: AppPages
  /** Whether test runners may change handlers and scenarios: see `expose()`. */
  expose: boolean
  /** Whether it shares no state with the page's other bootstrap modules, because it replaces the previous mocking. */
  isAlone?: boolean
  /** Shows an error in the build tool's overlay. Its `stack` is empty if the stack does not help. */
  showError: (error: Error) => void
}

/** A module that exports handlers, and optionally `onUnhandledRequest`, `scenarios` and `state`. */
export type HandlersModule = object & { onUnhandledRequest?: unknown; scenarios?: unknown; state?: unknown }

/** The mocking of a page that a build tool's plugin runs. Hot updates replace its handlers modules. */
export interface Mocking {
  readonly worker: SetupWorker
  /** Whether handlers were loaded and the gate is open. */
  readonly isOn: boolean
  /** Resolves when handlers were loaded and the gate is open. */
  readonly started: Promise<void>
  /** Notices about how the page is mocked, in whole sentences. */
  readonly notices: readonly string[]
  /**
   * Replaces the handlers with those of a module, all at once. The first call starts mocking. A module without valid
   * handlers is reported and changes nothing.
   *
   * @returns whether the handlers are active now
   */
  take(module: HandlersModule): Promise<boolean>
  /**
   * Replaces the active scenarios. Names are checked when a handlers module is loaded: before that, the page shows the
   * error for an unknown name later.
   *
   * @throws {UnderstudyError} if there is no scenario with a name
   */
  readonly scenario: (...names: readonly string[]) => void
  /**
   * Shows why handlers could not be loaded. The previous handlers stay; without any, the gate continues to hold
   * requests.
   */
  fail(error: unknown): void
}

/**
 * Creates the mocking of a page. A plugin's bootstrap module calls it before the handlers are loaded.
 *
 * @example
 * const mocking = createMocking(options)
 * import('./mocks/handlers.ts').then(mocking.take, mocking.fail)
 */
export function createMocking(options: MockingOptions): Mocking {
  const page = options.isAlone ? createPageMocking([]) : getPageMocking()
  const { network, worker, sets } = page
  const own = sets.push(undefined) - 1
  const { promise: started, resolve: resolveStarted } = Promise.withResolvers<void>()
  // Edits may come faster than an asynchronous handlers function returns, so they are applied one after the other.
  let turn: Promise<unknown> = Promise.resolve()

  if (options.pages) network.pages = options.pages

  /** The number of the last error or module. */
  let lastResult = 0

  async function takeNow(module: HandlersModule): Promise<boolean> {
    lastResult += 1
    let handlers
    try {
      handlers = await pickHandlers(module, options.file)
      const scenarios = await loadScenarios(page, module, options)
      scenarios?.take(own, module.scenarios, options.file)
      if (page.wantedScenarios.length > 0) scenarios?.activate(page.wantedScenarios)
      page.wantedScenarios = []
    } catch (error) {
      fail(error)
      return false
    }
    const isFirst = sets[own] === undefined
    sets[own] = handlers
    ;(network.states ??= new Map()).set(own, module.state)
    network.layers.replaceInitial(sets.flatMap((set) => set ?? []))
    if (page.isOn) {
      print.info(`Handlers ${isFirst ? 'added' : 'updated'}: ${handlers.length} (${options.file}).`)
      resolveStarted()
      return true
    }
    // Open the gate only when all handlers modules of the page are loaded. Otherwise requests for the missing handlers
    // reach the network.
    if (sets.includes(undefined)) return false
    try {
      page.starting ??= start(module)
      await page.starting
      page.isOn = true
      resolveStarted()
    } catch (error) {
      page.starting = undefined
      fail(error)
    }
    return page.isOn
  }

  function start(module: HandlersModule): ReturnType<SetupWorker['start']> {
    const { worker: location, quiet, answer = 'worker' } = options
    const { onUnhandledRequest = options.onUnhandledRequest } = module
    return worker.start({
      serviceWorker: {
        url: location.url,
        isOptional: location.isOptional ?? false,
        options: location.scope ? { scope: location.scope } : {},
      },
      // It may be wrong: `start` checks it.
      onUnhandledRequest: onUnhandledRequest as UnhandledRequestOption,
      quiet,
      answer,
    })
  }

  function fail(cause: unknown): void {
    const left = (getPageState().leftAt ?? -Infinity) + navigationLimit - performance.now()
    // The browser cancels the loading of files when the page unloads.
    if (left > 0) setTimeout(report, left, cause)
    else report(cause)
  }

  function report(cause: unknown): void {
    const error = cause instanceof Error ? cause : new Error(String(cause))
    const isOurs = error.name === 'UnderstudyError'
    // A value that is not an error has no stack. The stack of the engine's own error helps only if a call in the file is wrong.
    const hasPlace = error === cause && (!isOurs || error.message.startsWith('Failed to create'))
    const place = hasPlace ? locateError(error) : undefined
    const consequence = describeConsequence()
    const id = (lastResult += 1)
    const showAt = (found: string | undefined): void => {
      const at = found && shortenPlace(found)
      const { message } = isOurs
        ? error
        : failure(
            'US0304',
            `load the handlers of ${options.file}`,
            describe(error, at),
            'Fix the error and save the file.',
          )
      const shown = new Error(`${message}\n${consequence}`, { cause })
      shown.stack = at ? `${error.name}: ${error.message}\n    at ${at}` : ''
      print.failure(shown.message, ...(isOurs && !hasPlace ? [] : [cause]))
      // Other handlers may have been loaded while the position was looked up.
      if (id === lastResult) options.showError(shown)
    }
    const { locateLines }: LocatingPage = getPageState()
    // Only the dev server of a bundler knows the position in the developer's source.
    if (place && locateLines) locateLines(showAt)(place)
    else showAt(place)
  }

  function describeConsequence(): string {
    if (!page.isOn) return 'Until then, the requests of this page are held: none reaches the network.'
    return sets[own]
      ? 'Until then, the previous handlers keep answering.'
      : 'Until then, requests for these handlers reach the network: other handlers of this page are active.'
  }

  return {
    worker,
    get isOn() {
      return page.isOn && sets[own] !== undefined
    },
    started,
    get notices() {
      if (!page.isOn) return ['Mocking is not on yet: the requests of this page are held. Its console says why.']
      return getGate()?.replacements.XMLHttpRequest
        ? [
            'There is no service worker here: requests of scripts are answered, those of elements and of workers are not.',
          ]
        : []
    },
    take(module) {
      const next = turn.then(() => takeNow(module))
      turn = next
      return next
    },
    scenario(...names) {
      if (network.scenarios) network.scenarios.activate(names)
      else page.wantedScenarios = names
    },
    fail,
  }
}

/** The state that all bootstrap modules of a page share. With module federation there are several, each with an engine. */
interface PageMocking {
  readonly network: Network
  readonly worker: SetupWorker
  /** The handlers of each module, in the order of the modules; `undefined` until they are loaded. */
  readonly sets: (readonly Handler[] | undefined)[]
  starting: Promise<ServiceWorkerRegistration | undefined> | undefined
  isOn: boolean
  /** The names of the scenarios to activate when the next handlers module is loaded. */
  wantedScenarios: readonly string[]
}

function getPageMocking(): PageMocking {
  const state: PageState & { mocking?: PageMocking } = getPageState()
  return (state.mocking ??= createPageMocking(readWantedScenarios()))
}

function createPageMocking(wantedScenarios: readonly string[]): PageMocking {
  const network = new Network([])
  return {
    network,
    worker: createWorker(network),
    sets: [],
    starting: undefined,
    isOn: false,
    wantedScenarios,
  }
}

/** Returns the scenarios in the page's URL: `?understudy=empty,slow`. */
function readWantedScenarios(): string[] {
  const named = new URLSearchParams(location.search).getAll('understudy').join()
  return named.split(',').flatMap((name) => name.trim() || [])
}

/** Loads the code that switches scenarios, which pages without scenarios do not need. Test runners get its errors. */
async function loadScenarios(
  { network, wantedScenarios }: PageMocking,
  { scenarios }: HandlersModule,
  { expose: isExposed, isAlone }: MockingOptions,
): Promise<ScenarioSwitch | undefined> {
  if (scenarios === undefined && wantedScenarios.length === 0 && !isExposed) return network.scenarios
  const report = (message: string, names: readonly string[]): void => {
    print.info(message)
    writeToAddress(names)
  }
  // Do not change the URL: tests switch often, and their page belongs to the test runner.
  return loadScenarioSwitch(network, isAlone ? undefined : report)
}

/** Writes the scenarios to the page's URL, so that they survive a reload. Other parameters stay as they are. */
function writeToAddress(names: readonly string[]): void {
  if (readWantedScenarios().join() === names.join()) return
  const others = location.search.split(/[?&]/).filter((part) => part !== '' && !/^understudy(?:=|$)/.test(part))
  const own = names.length === 0 ? [] : [`understudy=${names.map((name) => encodeURIComponent(name)).join(',')}`]
  const url = new URL(location.href)
  url.search = [...others, ...own].join('&')
  // Keep the state of the history entry, because routers use it.
  history.replaceState(history.state, '', url)
}

function describe({ name, message }: Error, place: string | undefined): string {
  return `${name}: ${message}${place ? ` (at ${place.replace(location.origin, '')})` : ''}`
}
