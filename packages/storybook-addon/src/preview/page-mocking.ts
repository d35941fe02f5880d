import {
  createWorker,
  getGate,
  Network,
  pickHandlers,
  print,
  type HandlersExport,
  type SetupWorker,
  type UnhandledRequestCallback,
} from '@understudy/engine/bootstrap'
import { inspect } from '@understudy/engine/inspect'

import { workerFile } from '../worker-file.ts'
import { applySettings } from './apply-settings.ts'
import type { PageMocking } from './mocking-state.ts'
import { createTrackedFetch, createTrackedXMLHttpRequest } from './pending-requests.ts'
import { connect, options } from './project-handlers.ts'
import { shareStories } from './share-story.ts'
import { applyUnhandled } from './unhandled.ts'

const pageKey = Symbol.for('understudy:storybook')
interface Page {
  [pageKey]?: { mocking: PageMocking | undefined; started: Promise<void> }
}
const page = globalThis as Page

/** The page's mocking, where it was started. */
export function getPageMocking(scope: object = page): PageMocking | undefined {
  return (scope as Page)[pageKey]?.mocking
}

/**
 * Starts mocking, once for each page, however often it is called. Never throws: where it cannot be started the console
 * and the panel say why, and stories render without it.
 */
export function startMocking(): Promise<void> {
  page[pageKey] ??= start()
  return page[pageKey].started
}

function start(): { mocking: PageMocking | undefined; started: Promise<void> } {
  const network = new Network([])
  let worker: SetupWorker
  try {
    worker = createWorker(network)
  } catch (error) {
    print.warn(`Stories run unmocked here. ${messageOf(error)}`)
    return { mocking: undefined, started: Promise.resolve() }
  }
  const mocking: PageMocking = {
    network,
    worker,
    inspection: inspect(worker),
    state: { how: 'starting' },
    handlersError: undefined,
    onUnhandledRequest: undefined,
    condition: 'none',
    update() {},
    remount() {},
  }
  applySettings(mocking)
  void shareStories(mocking)
  const started = Promise.all([loadHandlers(mocking), startWorker(mocking)]).then(() => undefined)
  return { mocking, started }
}

let given: HandlersExport | undefined

/** Handlers of the project that no builder brings. */
export function setProjectHandlers(handlers: HandlersExport): void {
  given = handlers
}

/** The handlers of the project stand beneath those of every story. An edit of them swaps them in. */
async function loadHandlers(mocking: PageMocking): Promise<void> {
  const { network } = mocking
  const fail = (error: unknown, file: string): void => {
    mocking.handlersError = `Failed to load the handlers of ${file}: ${messageOf(error)}`
    mocking.update()
    print.error(`${mocking.handlersError} Stories run with their own handlers, and with those from before.`, error)
  }
  const take = async (module: object, file: string): Promise<void> => {
    try {
      network.layers.replaceInitial(await pickHandlers(module, file))
    } catch (error) {
      fail(error, file)
      return
    }
    mocking.handlersError = undefined
    mocking.update()
    const { onUnhandledRequest } = module as { onUnhandledRequest?: unknown }
    mocking.onUnhandledRequest =
      typeof onUnhandledRequest === 'function' ? (onUnhandledRequest as UnhandledRequestCallback) : undefined
  }
  if (given === undefined) await connect(take, fail)
  else await take({ handlers: given }, 'understudy({ handlers })')
}

async function startWorker(mocking: PageMocking): Promise<void> {
  const { network, worker } = mocking
  try {
    const starting = worker.start({
      serviceWorker: {
        url: new URL(workerFile, document.baseURI),
        // Neither the manager nor what else there is under this origin.
        options: { scope: location.pathname },
      },
      quiet: options.quiet ?? isTestRun(),
    })
    network.unhandled = applyUnhandled(mocking)
    const registration = await starting
    mocking.state = { how: registration ? 'service-worker' : 'in-page' }
    trackRequests(mocking)
  } catch (error) {
    mocking.state = { how: 'failed', error: messageOf(error) }
    print.error(`Stories run unmocked. ${messageOf(error)}`)
  }
  mocking.update()
}

/** Takes the places of the page's functions once more: a story that ends takes its requests with it. */
function trackRequests({ network }: PageMocking): void {
  const gate = getGate()
  if (!gate) return
  const { carriers, natives } = gate
  gate.open({
    ...carriers,
    fetch: createTrackedFetch(network, carriers.fetch ?? natives.fetch),
    XMLHttpRequest: createTrackedXMLHttpRequest(network, carriers.XMLHttpRequest ?? natives.XMLHttpRequest),
  })
}

/** Whether Vitest runs the stories: what the console says there is a test's output. */
function isTestRun(): boolean {
  return '__vitest_worker__' in globalThis || '__vitest_browser__' in globalThis
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
