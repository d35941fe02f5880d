import { failure, print } from '../core/failure.ts'
import { pickHandlers } from '../core/handlers/pick-handlers.ts'
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
import { locateError } from './locate-error.ts'
import { createWorker, type SetupWorker } from './setup-worker.ts'

/** What a plugin tells the page. */
export interface MockingOptions {
  /** How the handlers module is named to people. */
  file: string
  worker: { url: string; scope?: string }
  onUnhandledRequest: UnhandledRequestStrategy
  quiet: boolean
  /** Puts `understudy` and `worker` on the window, for test runners. */
  expose: boolean
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
  const network = new Network([])
  const worker = createWorker(network)
  let isOn = false
  let isInPage = false
  const { promise: started, resolve: resolveStarted } = Promise.withResolvers<void>()
  // Edits may come faster than an asynchronous handlers function returns: they take turns.
  let turn: Promise<unknown> = Promise.resolve()

  if (options.expose) expose(worker)

  async function takeNow(module: HandlersModule): Promise<boolean> {
    let handlers
    try {
      handlers = await pickHandlers(module, options.file)
    } catch (error) {
      fail(error)
      return false
    }
    network.layers.replaceInitial(handlers)
    if (isOn) {
      print.info(`Handlers swapped in: ${handlers.length} (${options.file}).`)
      return true
    }
    const { worker: location, quiet, onUnhandledRequest } = options
    try {
      const registration = await worker.start({
        serviceWorker: { url: location.url, options: location.scope ? { scope: location.scope } : {} },
        onUnhandledRequest: readCallback(module) ?? onUnhandledRequest,
        quiet,
      })
      isOn = true
      isInPage = registration === undefined
      resolveStarted()
    } catch (error) {
      fail(error)
    }
    return isOn
  }

  function fail(cause: unknown): void {
    const error = cause instanceof Error ? cause : new Error(String(cause))
    // Where the engine found the fault, its own lines are no help.
    const isOurs = error.name === 'UnderstudyError'
    const place = isOurs ? undefined : locateError(error)
    const { message } = isOurs
      ? error
      : failure(`load the handlers of ${options.file}`, describe(error, place), 'Mend it.')
    const consequence = isOn
      ? 'Until then, the handlers from before go on answering.'
      : 'Until then, the requests of this page are held: none reaches the network.'
    const shown = new Error(`${message}\n${consequence}`, { cause })
    shown.stack = place ? `${error.name}: ${error.message}\n    at ${place}` : ''
    print.error(shown.message, ...(isOurs ? [] : [cause]))
    options.showError(shown)
  }

  return {
    worker,
    get isOn() {
      return isOn
    },
    started,
    get notices() {
      if (!isOn) return ['Mocking is not on yet: the requests of this page are held. Its console says why.']
      return isInPage
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

function describe({ name, message }: Error, place: string | undefined): string {
  return `${name}: ${message}${place ? ` (at ${place.replace(location.origin, '')})` : ''}`
}

function readCallback({ onUnhandledRequest }: HandlersModule): UnhandledRequestCallback | undefined {
  return typeof onUnhandledRequest === 'function' ? (onUnhandledRequest as UnhandledRequestCallback) : undefined
}

function expose(worker: SetupWorker): void {
  const understudy = { worker, http, graphql, rest, ws, sse, HttpResponse, delay, passthrough, bypass }
  Object.assign(globalThis, { understudy, worker })
}
