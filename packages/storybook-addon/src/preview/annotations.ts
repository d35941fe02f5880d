import { isPromise, print, withCode, type Decision } from '@understudy/engine/internal/page'
import type { ProjectAnnotations, Renderer } from 'storybook/internal/types'

import { networkGlobal, scenarioGlobal } from '../events.ts'
import { applyScenarios, readScenarioNames, scenariosOf } from './apply-scenarios.ts'
import { fitFrame, isolateStories, outerMocking } from './isolate-stories.ts'
import { forgetEnded, noteEnded } from './late-requests.ts'
import { isInForeignFrame } from './manager-window.ts'
import type { PageMocking } from './mocking-state.ts'
import { applyNetworkCondition, isNetworkCondition } from './network-condition.ts'
import { getPageMocking, locateText, startMocking } from './page-mocking.ts'
import type { UnderstudyParameters } from './parameters.ts'
import { endRequestsOf } from './pending-requests.ts'
import { listOf, noHandlers, readHandlers, reportProblems, type StoryHandlers } from './read-handlers.ts'
import { readLevels } from './read-levels.ts'
import { toSentRequest } from './sent-requests.ts'
import { addRun, liveRuns, removeRun, type StoryRun } from './story-run.ts'
import { untilDecided, watchDecisions } from './undecided-requests.ts'
import { createUnderstudy } from './understudy.ts'
import { untilRendered } from './until-rendered.ts'

type Annotations = Required<
  Pick<
    ProjectAnnotations<Renderer>,
    'beforeAll' | 'loaders' | 'beforeEach' | 'afterEach' | 'argTypesEnhancers' | 'initialGlobals'
  >
>
type Context = Parameters<Extract<Annotations['beforeEach'], (...args: never[]) => unknown>>[0]

/**
 * A property of the addon's loader. The check after a setup file uses it to find out whether stories have the addon.
 */
const loaderMark: symbol = Symbol.for('understudy:storybook-loader')

/** The runs by the signal that ends the rendering. When args change, the story renders again with the same signal. */
const runsBySignal = new WeakMap<AbortSignal, StoryRun>()

/** Starts mocking before the first story. */
export const beforeAll: Annotations['beforeAll'] = async () => {
  await startMocking()
  fitFrame()
}

/** The toolbar's network condition at the start: none. */
export const initialGlobals: Annotations['initialGlobals'] = { [networkGlobal]: 'none', [scenarioGlobal]: '' }

/** Shows a story of a docs page in a separate frame if its handlers would answer requests of other stories. */
export const argTypesEnhancers: Annotations['argTypesEnhancers'] = [isolateStories]

/**
 * Installs the story's handlers. This is a loader of the project, because loaders of components and stories run after
 * it and may make requests.
 */
export const loaders: Annotations['loaders'] = [
  Object.assign(
    (context: Context) => {
      // Portable stories may run without `beforeAll`.
      const mocking = getPageMocking()
      return mocking
        ? begin(mocking, context)
        : startMocking().then(() => {
            const started = getPageMocking()
            return started && begin(started, context)
          })
    },
    { [loaderMark]: true },
  ),
]

/** Ends the story's handlers, requests and listeners when Storybook cleans the story up. */
export const beforeEach: Annotations['beforeEach'] = (context) => {
  const mocking = getPageMocking()
  const run = runsBySignal.get(context.abortSignal)
  if (!run || !mocking) return undefined
  run.isRendered = true
  return () => end(mocking, run)
}

/** Fails the story if it had unhandled requests and its parameter does not allow them. */
export const afterEach: Annotations['afterEach'] = async (context) => {
  const run = runsBySignal.get(context.abortSignal)
  if (run?.mustRemount) {
    run.mustRemount = false
    // Hooks of other addons may still run.
    void untilRendered().then(() => {
      if (!run.ending.signal.aborted) getPageMocking()?.remount(run.storyId)
    })
  }
  if (run?.onUnhandledRequest !== 'error') return
  await untilDecided(run)
  // The preview already shows another story. It would show this one's error in its place.
  if (run.ending.signal.aborted || run.unhandled.length === 0) return
  const unhandled = await locateText(run.unhandled.join('\n'))
  const message =
    `The story "${run.name}" made requests that no handler matches, and its parameter ` +
    `understudy.onUnhandledRequest is "error".\n${unhandled}`
  throw Object.assign(new Error(withCode('US0905', message)), { code: 'US0905' })
}

/** Synchronous if the handlers are available, because loaders of the same level run concurrently. */
function begin(mocking: PageMocking, context: Context): void | Promise<void> {
  const { abortSignal } = context
  if (abortSignal.aborted) return undefined
  let run = runsBySignal.get(abortSignal)
  let cleared: Promise<unknown> | undefined
  if (!run || run.ending.signal.aborted) {
    // On a docs page, other stories may still run.
    if (context.viewMode !== 'docs' || liveRuns().size === 0) cleared = forgetStory(mocking, context)
    run = createRun(mocking, context)
    runsBySignal.set(abortSignal, run)
    const ended = run
    abortSignal.addEventListener('abort', () => end(mocking, ended), { once: true })
  }
  const current = run
  const condition: unknown = outerMocking()?.condition ?? (isInForeignFrame() ? 'none' : context.globals[networkGlobal])
  if (isNetworkCondition(condition)) applyNetworkCondition(mocking, condition)
  const chosen =
    outerMocking()?.scenarios ?? (isInForeignFrame() ? [] : readScenarioNames(context.globals[scenarioGlobal]))
  applyScenarios(mocking, current, chosen, scenariosOf(context.parameters))
  const understudy = createUnderstudy(mocking, current)
  // `msw-storybook-addon` uses the name `msw`. Both addons may be installed during a migration.
  Object.assign(context, { understudy, ...(!('msw' in context) && { msw: understudy }) })
  const read = readHandlers({
    name: current.name,
    args: context.args,
    globals: context.globals,
    parameters: context.parameters,
    ...readLevels(context),
  })
  const installed = isPromise(read) ? read.then((handlers) => install(mocking, current, handlers)) : undefined
  if (!isPromise(read)) install(mocking, current, read)
  if (!installed && !cleared) return undefined
  // End the wait when the run ends, so that a switch to another story does not wait for this one.
  return Promise.race([
    Promise.all([installed, cleared]).then(() => undefined),
    new Promise<void>((resolve) => {
      current.ending.signal.addEventListener('abort', () => resolve(), { once: true })
    }),
  ])
}

function install(mocking: PageMocking, run: StoryRun, handlers: StoryHandlers): void {
  const { network } = mocking
  if (run.ending.signal.aborted) return
  const isSame = handlers.problems.join() === run.handlers.problems.join()
  run.handlers = handlers
  if (!isSame) reportProblems(handlers)
  forgetEnded()
  network.layers.install(run.token, listOf(handlers))
  mocking.update()
}

function createRun(mocking: PageMocking, context: Context): StoryRun {
  const { network, worker } = mocking
  const { understudy = {} } = context.parameters as UnderstudyParameters
  const run: StoryRun = {
    storyId: context.id,
    name: `${context.title}/${context.name}`,
    viewMode: context.viewMode,
    token: {},
    runtimeToken: {},
    beganAt: performance.now(),
    ending: new AbortController(),
    runtime: [],
    handlers: noHandlers,
    onUnhandledRequest: understudy.onUnhandledRequest,
    sent: [],
    unhandled: [],
    errors: [],
    mustRemount: false,
    isRendered: false,
  }
  addRun(run)
  watchDecisions(network, run)
  const stop = network.observe((decision: Decision) => run.sent.push(toSentRequest(decision)))
  network.events.on(
    'unhandledException',
    ({ error }) => {
      run.errors.push(error.message)
      mocking.update()
    },
    { signal: run.ending.signal },
  )
  run.ending.signal.addEventListener(
    'abort',
    () => {
      stop()
      network.layers.remove(run.token)
      network.layers.remove(run.runtimeToken)
      if (liveRuns().size === 0) worker.cookies.clear()
    },
    { once: true },
  )
  return run
}

/** Ends a rendering: removes its handlers and listeners, and aborts its pending requests. */
function end({ network }: PageMocking, run: StoryRun): void {
  if (!removeRun(run)) return
  noteEnded(run)
  run.ending.abort()
  // A rendered story is about to be replaced. Abort its requests afterwards, so that it does not show their errors. If
  // only its loaders ran, abort at once.
  if (run.isRendered) setTimeout(() => endRequestsOf(run, network))
  else endRequestsOf(run, network)
}

/**
 * Removes the state of the previous story: its requests, its cookies, and with the story's own hooks the caches of
 * query clients.
 *
 * @returns a promise only if a hook returned one
 */
function forgetStory({ worker, inspection }: PageMocking, context: Context): Promise<unknown> | undefined {
  worker.cookies.clear()
  inspection.clear()
  const { clearCaches = [] } = (context.parameters as UnderstudyParameters).understudy ?? {}
  const pending: Promise<unknown>[] = []
  for (const { name, canReset } of inspection.snapshot().state ?? []) {
    if (canReset) pending.push(inspection.resetState(name).catch((error) => reportState(name, error)))
  }
  for (const clear of typeof clearCaches === 'function' ? [clearCaches] : Object.values(clearCaches)) {
    try {
      const result: unknown = clear()
      if (isPromise(result)) pending.push(Promise.resolve(result).catch(report))
    } catch (error) {
      report(error)
    }
  }
  return pending.length > 0 ? Promise.all(pending) : undefined
}

function reportState(name: string, error: unknown): void {
  print.error(
    'US0911',
    `Failed to reset the state ${JSON.stringify(name)} before a story. Correct its function reset(). See the error.`,
    error,
  )
}

function report(error: unknown): void {
  print.error(
    'US0906',
    'Failed to clear a cache between stories: parameters.understudy.clearCaches threw. See the error.',
    error,
  )
}
