import { inspect } from '@understudy/engine/inspect'
import {
  createWorker,
  getGate,
  loadScenarioSwitch,
  Network,
  pickHandlers,
  print,
  type HandlersExport,
  type SetupWorker,
  type UnhandledRequestCallback,
} from '@understudy/engine/internal/page'
import type { Scenarios } from '@understudy/engine/scenarios'

import { workerFile } from '../worker-file.ts'
import { applySettings } from './apply-settings.ts'
import type { PageMocking } from './mocking-state.ts'
import { createTrackedFetch, createTrackedXMLHttpRequest } from './pending-requests.ts'
import { connect, loadLocating, options } from './project-handlers.ts'
import { shareStories } from './share-story.ts'
import { applyUnhandled } from './unhandled.ts'

const pageKey = Symbol.for('understudy:storybook')
interface Page {
  [pageKey]?: { mocking: PageMocking | undefined; started: Promise<void> }
}
const page = globalThis as Page

/** Returns the page's mocking, if it was started. */
export function getPageMocking(scope: object = page): PageMocking | undefined {
  return (scope as Page)[pageKey]?.mocking
}

/**
 * Starts mocking. Further calls on the same page do nothing. It never throws: if mocking cannot start, the console and the
 * panel show the reason, and stories render without mocking.
 */
export function startMocking(): Promise<void> {
  page[pageKey] ??= start()
  return page[pageKey].started
}

function start(): { mocking: PageMocking | undefined; started: Promise<void> } {
  const network = new Network([])
  const preview = findPreview()
  // A handler of every path must not replace the index of stories, which Storybook requests with `fetch`.
  if (preview) {
    const { href } = new URL('index.json', preview)
    network.pages = { ...network.pages, toolFiles: `^${href.replaceAll(/[^\w/-]/g, String.raw`\$&`)}(?![^?#])` }
  }
  let worker: SetupWorker
  try {
    worker = createWorker(network)
  } catch (error) {
    getGate()?.open()
    print.warn('US0901', `Failed to mock requests from stories: mocking did not start. ${messageOf(error)}`)
    return { mocking: undefined, started: Promise.resolve() }
  }
  const mocking: PageMocking = {
    network,
    worker,
    inspection: inspect(worker),
    state: { how: 'starting' },
    handlersError: undefined,
    areHandlersLoaded: false,
    onUnhandledRequest: undefined,
    condition: 'none',
    scenarios: [],
    update() {},
    remount() {},
  }
  applySettings(mocking)
  void shareStories(mocking)
  // The start opens the gate. Before the handlers are loaded, it would release requests that they match.
  const loaded = loadLocating ? locatePositions(mocking).then(() => loadHandlers(mocking)) : loadHandlers(mocking)
  const started = loaded.then(() => startWorker(mocking))
  return { mocking, started }
}

let findPositions: ((text: string) => Promise<string>) | undefined

/** Replaces the positions in a text by those in the sources, if the preview is a bundle in development. */
export function locateText(text: string): string | Promise<string> {
  return findPositions ? findPositions(text) : text
}

async function locatePositions({ worker }: PageMocking): Promise<void> {
  const loaded = await loadLocating?.()
  findPositions = loaded?.locateMessages(worker)
}

/** Returns the URL of Storybook's preview, unless stories run elsewhere: in a test, perhaps without a page. */
function findPreview(): string | undefined {
  const href = globalThis.location?.href
  return href !== undefined && /\/iframe(?:\.html)?$/.test(new URL(href).pathname) ? href : undefined
}

let given: { readonly handlers: HandlersExport; readonly scenarios: Scenarios | undefined } | undefined

/** Sets the project's handlers, if the builder does not load them. */
export function setProjectHandlers(handlers: HandlersExport, scenarios: Scenarios | undefined): void {
  given = { handlers, scenarios }
}

/** Loads the project's handlers, which answer after those of every story. An edit replaces them. */
async function loadHandlers(mocking: PageMocking): Promise<void> {
  const { network } = mocking
  const fail = (error: unknown, file: string): void => {
    mocking.handlersError = `Failed to load the handlers of ${file}: ${messageOf(error)}`
    // The worker learns that requests that no handler matches must fail.
    if (!mocking.areHandlersLoaded) network.layers.replaceInitial([])
    mocking.update()
    const consequence = mocking.areHandlersLoaded
      ? 'Until then, stories use their own handlers and the previous handlers of the project.'
      : 'Until then, stories use their own handlers, and their other requests fail.'
    print.error(
      'US0902',
      `${mocking.handlersError.replace(/\w$/, '$&.')} Fix the error and save the file. ${consequence}`,
      error,
    )
  }
  const take = async (module: object, file: string): Promise<void> => {
    try {
      const handlers = await pickHandlers(module, file)
      const { scenarios } = module as { scenarios?: unknown }
      if (scenarios !== undefined) await loadScenarioSwitch(network)
      network.scenarios?.take('project', scenarios, file)
      network.states = new Map([['project', (module as { state?: unknown }).state]])
      network.layers.replaceInitial(handlers)
    } catch (error) {
      fail(error, file)
      return
    }
    mocking.handlersError = undefined
    mocking.areHandlersLoaded = true
    mocking.update()
    const { onUnhandledRequest } = module as { onUnhandledRequest?: unknown }
    mocking.onUnhandledRequest =
      typeof onUnhandledRequest === 'function' ? (onUnhandledRequest as UnhandledRequestCallback) : undefined
  }
  if (given === undefined) await connect(take, fail)
  else await take(given, 'understudy({ handlers })')
}

async function startWorker(mocking: PageMocking): Promise<void> {
  const { network, worker } = mocking
  try {
    const starting = worker.start({
      serviceWorker: {
        url: new URL(workerFile, document.baseURI),
        // The worker must not control the manager and other pages of this origin.
        options: { scope: location.pathname },
      },
      quiet: options.quiet ?? isTestRun(),
      // Answer in the page in tests, because developers do not read their network tab.
      answer: isTestRun() ? 'page' : 'worker',
    })
    network.unhandled = applyUnhandled(mocking)
    const registration = await starting
    mocking.state = { how: registration ? 'service-worker' : 'in-page' }
    trackRequests(mocking)
  } catch (error) {
    mocking.state = { how: 'failed', error: messageOf(error) }
    // The script in the preview's head closed it.
    getGate()?.open()
    print.error('US0903', `Stories run unmocked. ${messageOf(error)}`)
  }
  mocking.update()
}

/** Wraps the page's `fetch` and `XMLHttpRequest`, so that the end of a story aborts its requests. */
function trackRequests({ network }: PageMocking): void {
  const gate = getGate()
  if (!gate) return
  const { replacements, natives } = gate
  gate.open({
    ...replacements,
    fetch: createTrackedFetch(network, replacements.fetch ?? natives.fetch),
    XMLHttpRequest: createTrackedXMLHttpRequest(network, replacements.XMLHttpRequest ?? natives.XMLHttpRequest),
  })
}

/** Returns whether Vitest or Jest runs the stories. The console is then the output of a test. */
function isTestRun(): boolean {
  const { process } = globalThis as { process?: { env?: Record<string, string | undefined> } }
  const isJest = process?.env?.['JEST_WORKER_ID'] !== undefined
  return isJest || '__vitest_worker__' in globalThis || '__vitest_browser__' in globalThis
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
