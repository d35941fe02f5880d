import { failure, print } from '../core/failure.ts'
import { pickHandlers } from '../core/handlers/pick-handlers.ts'
import type { Handler } from '../core/handlers/request-handler.ts'
import type { AppPages } from '../core/network/document-request.ts'
import { Network } from '../core/network/network.ts'
import type { UnhandledRequestCallback, UnhandledRequestStrategy } from '../core/network/unhandled-request.ts'
import { bypass } from '../core/responses/bypass.ts'
import { delay } from '../core/responses/delay.ts'
import { HttpResponse } from '../core/responses/http-response.ts'
import { passthrough } from '../core/responses/passthrough.ts'
import { graphql } from '../graphql/graphql.ts'
import { http } from '../http/http.ts'
import { rest } from '../rest/rest.ts'
import { sse } from '../sse/sse.ts'
import { ws } from '../ws/ws.ts'
import { getGate, getPageState, type PageState } from './gate/gate.ts'
import { locateError } from './locate-error.ts'
import { createWorker, type SetupWorker } from './setup-worker.ts'

/** What a plugin tells the page. */
export interface MockingOptions {
  /** How the handlers module is named to people. */
  file: string
  /** Where it is optional and its script is not there, requests are answered in the page itself. */
  worker: { url: string; scope?: string | undefined; isOptional?: boolean }
  onUnhandledRequest: UnhandledRequestStrategy
  quiet: boolean
  /** The app's own pages, which handlers do not replace. Default: every path may be one. */
  pages?: AppPages
  /** Puts `understudy` and `worker` on the window, for test runners. */
  expose: boolean
  /** Whether it shares nothing with others of this page, as one that takes the place of the one before. */
  isAlone?: boolean
  /** Shows an error where the build tool shows its own. Its `stack` is empty where lines are no help. */
  showError: (error: Error) => void
}

/** A module that exports handlers, and maybe what to do with requests that none of them matches. */
export type HandlersModule = object & { onUnhandledRequest?: unknown }

/** Mocking as a build tool's plugin runs it: by modules of handlers, swapped as they are edited. */
export interface Mocking {
  readonly worker: SetupWorker
  /** Whether handlers were loaded, and the gate is open. */
  readonly isOn: boolean
  /** Resolves when that is so. */
  readonly started: Promise<void>
  /** What people should know of how the page is mocked, in whole sentences. */
  readonly notices: readonly string[]
  /**
   * Takes the handlers of a module in place of those before, all at once. The first time, it starts mocking.
   * A module that is no good is shown, and changes nothing.
   *
   * @returns whether they answer now
   */
  take(module: HandlersModule): Promise<boolean>
  /** Shows why handlers could not be loaded. Those before stay; where there are none, requests stay held. */
  fail(error: unknown): void
}

/**
 * What a plugin's bootstrap module calls, before the handlers are loaded.
 *
 * @example
 * const mocking = createMocking(options)
 * import('./mocks/handlers.ts').then(mocking.take, mocking.fail)
 */
export function createMocking(options: MockingOptions): Mocking {
  const page = options.isAlone ? createPageMocking() : getPageMocking()
  const { network, worker, sets } = page
  const own = sets.push(undefined) - 1
  const { promise: started, resolve: resolveStarted } = Promise.withResolvers<void>()
  // Edits may come faster than an asynchronous handlers function returns: they take turns.
  let turn: Promise<unknown> = Promise.resolve()

  if (options.pages) network.pages = options.pages
  if (options.expose) expose(worker)

  async function takeNow(module: HandlersModule): Promise<boolean> {
    let handlers
    try {
      handlers = await pickHandlers(module, options.file)
    } catch (error) {
      fail(error)
      return false
    }
    const isFirst = sets[own] === undefined
    sets[own] = handlers
    network.layers.replaceInitial(sets.flatMap((set) => set ?? []))
    if (page.isOn) {
      print.info(`Handlers ${isFirst ? 'added' : 'swapped in'}: ${handlers.length} (${options.file}).`)
      resolveStarted()
      return true
    }
    // Whoever brings the last opens the gate: until then, what they would answer would escape.
    if (sets.includes(undefined)) return false
    try {
      page.starting ??= start(readCallback(module))
      await page.starting
      page.isOn = true
      resolveStarted()
    } catch (error) {
      page.starting = undefined
      fail(error)
    }
    return page.isOn
  }

  function start(callback: UnhandledRequestCallback | undefined): ReturnType<SetupWorker['start']> {
    const { worker: location, quiet, onUnhandledRequest } = options
    return worker.start({
      serviceWorker: {
        url: location.url,
        isOptional: location.isOptional ?? false,
        options: location.scope ? { scope: location.scope } : {},
      },
      onUnhandledRequest: callback ?? onUnhandledRequest,
      quiet,
    })
  }

  function fail(cause: unknown): void {
    const error = cause instanceof Error ? cause : new Error(String(cause))
    // Where the engine found the fault, its own lines are no help.
    const isOurs = error.name === 'UnderstudyError'
    const place = isOurs ? undefined : locateError(error)
    const { message } = isOurs
      ? error
      : failure(`load the handlers of ${options.file}`, describe(error, place), 'Mend it.')
    const shown = new Error(`${message}\n${describeConsequence()}`, { cause })
    shown.stack = place ? `${error.name}: ${error.message}\n    at ${place}` : ''
    print.error(shown.message, ...(isOurs ? [] : [cause]))
    options.showError(shown)
  }

  function describeConsequence(): string {
    if (!page.isOn) return 'Until then, the requests of this page are held: none reaches the network.'
    return sets[own]
      ? 'Until then, the handlers from before go on answering.'
      : 'Until then, what they would answer reaches the network: other handlers of this page are on.'
  }

  return {
    worker,
    get isOn() {
      return page.isOn && sets[own] !== undefined
    },
    started,
    get notices() {
      if (!page.isOn) return ['Mocking is not on yet: the requests of this page are held. Its console says why.']
      return getGate()?.carriers.XMLHttpRequest
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
    fail,
  }
}

/** What all bootstrap modules of a page share: with module federation there are several, each with an engine. */
interface PageMocking {
  readonly network: Network
  readonly worker: SetupWorker
  /** The handlers of each, in the order in which they came; nothing, until they are loaded. */
  readonly sets: (readonly Handler[] | undefined)[]
  starting: Promise<ServiceWorkerRegistration | undefined> | undefined
  isOn: boolean
}

function getPageMocking(): PageMocking {
  const state: PageState & { mocking?: PageMocking } = getPageState()
  return (state.mocking ??= createPageMocking())
}

function createPageMocking(): PageMocking {
  const network = new Network([])
  return { network, worker: createWorker(network), sets: [], starting: undefined, isOn: false }
}

function describe({ name, message }: Error, place: string | undefined): string {
  return `${name}: ${message}${place ? ` (at ${place.replace(location.origin, '')})` : ''}`
}

function readCallback({ onUnhandledRequest }: HandlersModule): UnhandledRequestCallback | undefined {
  return typeof onUnhandledRequest === 'function' ? (onUnhandledRequest as UnhandledRequestCallback) : undefined
}

function expose(worker: SetupWorker): void {
  const understudy = { worker, http, graphql, rest, ws, sse, HttpResponse, delay, passthrough, bypass }
  Object.assign(globalThis, { understudy, worker })
  // Test runners change handlers before the app's first request: requests are held still.
  dispatchEvent(new Event('understudy:exposed'))
}
