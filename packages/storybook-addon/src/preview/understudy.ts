import type { Handler, LifeCycleEmitter } from '@understudy/engine'
import { checkHandlers } from '@understudy/engine/internal/page'

import { isolateAddedHandlers } from './isolate-stories.ts'
import type { PageMocking } from './mocking-state.ts'
import { isMeant, toRecordedRequest, type RecordedRequest, type RequestFilter } from './sent-requests.ts'
import type { StoryRun } from './story-run.ts'

/** `context.understudy`, in loaders, `beforeEach`, decorators, render and play functions. It ends with the story. */
export interface Understudy {
  /** Adds handlers that answer before the story's own. */
  readonly use: (...handlers: readonly Handler[]) => void
  /** Removes the handlers that {@link use} added. */
  readonly resetHandlers: () => void
  /** Lets used-up handlers answer again: those with `{ once: true }`, or whose generator has ended. */
  readonly restoreHandlers: () => void
  /** Returns the handlers of this story, in the order in which they answer. */
  readonly listHandlers: () => readonly Handler[]
  /** Life-cycle events. Listeners are removed when the story ends. */
  readonly events: Pick<LifeCycleEmitter, 'on' | 'once' | 'removeListener'>
  /**
   * Returns the decided requests since the start of the story, in order. On a docs page, those of all stories.
   *
   * @param filter selects requests by name or by properties
   * @example
   * await userEvent.click(canvas.getByRole('button', { name: 'Send' }))
   * await waitFor(async () => expect(await understudy.requests('POST /bookings')).toHaveLength(1))
   * expect(await understudy.requests('POST /bookings')).toMatchObject([{ body: { seats: 2 }, status: 201 }])
   */
  readonly requests: (filter?: RequestFilter) => Promise<readonly RecordedRequest[]>
}

export function createUnderstudy(mocking: PageMocking, run: StoryRun): Understudy {
  const { network } = mocking
  const { events } = network
  const { signal } = run.ending
  const install = (handlers: readonly Handler[]): void => {
    run.runtime = handlers
    if (!signal.aborted) network.layers.install(run.runtimeToken, handlers)
  }
  return {
    use(...handlers) {
      checkHandlers('add handlers', handlers)
      install([...handlers, ...run.runtime])
      if (run.viewMode === 'docs') void isolateAddedHandlers(network, run.storyId, run.runtime)
    },
    resetHandlers() {
      run.runtime = []
      network.layers.remove(run.runtimeToken)
    },
    restoreHandlers: () => network.layers.restore(),
    listHandlers() {
      return Object.freeze(network.layers.entries().map(({ handler }) => handler))
    },
    events: {
      on(name, listener, options = {}) {
        return events.on(name, listener, { ...options, signal: join(options.signal, signal) })
      },
      once(name, listener, options = {}) {
        return events.once(name, listener, { ...options, signal: join(options.signal, signal) })
      },
      removeListener(name, listener) {
        return events.removeListener(name, listener)
      },
    },
    requests(filter) {
      return Promise.all(run.sent.filter((sent) => isMeant(sent, filter)).map(toRecordedRequest))
    },
  }
}

function join(given: AbortSignal | undefined, own: AbortSignal): AbortSignal {
  return given ? AbortSignal.any([given, own]) : own
}
