import { createMocking } from '@understudy/engine/bootstrap'

import { toFailure, withoutStack } from './failure.ts'
import { loadHandlers, type SetUpOptions } from './load-handlers.ts'
import { TestRun } from './test-run.ts'
import { setRunningServer } from './test-server.ts'
import { reportUnhandled } from './unhandled-requests.ts'

/** What the set-up module is told besides, in a browser. */
export interface BrowserSetUpOptions extends SetUpOptions {
  worker: { url: string; scope: string }
  expose: boolean
}

// Tests may replace these.
const { setTimeout, fetch: nativeFetch } = globalThis

/**
 * Mocks the requests of a test file that runs in a browser.
 *
 * @throws where the handlers are no good, the worker cannot start, or Vitest is too old
 */
export async function setUp(options: BrowserSetUpOptions): Promise<void> {
  const { file, worker, expose, vitest } = options
  setRunningServer(undefined)
  const { module, strategy } = await loadHandlers(options)
  let error: Error | undefined
  const mocking = createMocking({
    file,
    worker,
    expose,
    onUnhandledRequest: strategy ?? 'warn',
    // The terminal shows the console of the tests: a line for each request would bury the rest.
    quiet: true,
    // A page may run one test file after the other.
    isAlone: true,
    showError: (shown) => (error = shown),
  })
  if (!(await mocking.take(module))) throw withoutStack(error ?? new Error('Mocking did not start.'))
  const mocked = mocking.worker
  const run = new TestRun({
    mocked,
    run: (_scope, _isConcurrent, test) => test(),
    current: () => undefined,
    boundary() {
      throw toFailure(
        'create a boundary: browsers do not tell which test asynchronous work belongs to. ' +
          'Let tests that use handlers run one after the other, or run them in Node.',
      )
    },
    async settle() {
      // Answered when the page has been told of what was asked before.
      const isByWorker = navigator.serviceWorker?.controller?.scriptURL === new URL(worker.url, location.href).href
      if (isByWorker) await nativeFetch(`${worker.url}?understudy-probe=asked`, { method: 'POST', body: ' ' })
      await new Promise((resolve) => setTimeout(resolve))
    },
  })
  reportUnhandled(mocked['~network'], strategy === 'error', (fault) => run.blame(fault))
  run.register(vitest)
  setRunningServer(run.server)
}
