import { createMocking, getGate } from '@understudy/engine/internal/page'

import { Callers } from './callers-in-browser.ts'
import { toFailure, withoutStack } from './failure.ts'
import { loadHandlers, type SetUpOptions } from './load-handlers.ts'
import { TestRun } from './test-run.ts'
import { setRunningServer } from './test-server.ts'
import { reportUnhandled } from './unhandled-requests.ts'

/** The additional options of the set-up module in a browser. */
export interface BrowserSetUpOptions extends SetUpOptions {
  worker: { url: string; scope: string }
  expose: boolean
  answer: 'page' | 'worker'
}

// Keep the platform's functions, because tests may replace them.
const { setTimeout, fetch: nativeFetch } = globalThis

/** Those of the test file that runs. The page may have run another file before. */
let callers: Callers | undefined

/**
 * Mocks the requests of a test file that runs in a browser.
 *
 * @throws {Error} if the handlers are invalid, the worker cannot start, or Vitest is too old
 */
export async function setUp(options: BrowserSetUpOptions): Promise<void> {
  const { file, worker, expose, answer, vitest } = options
  setRunningServer(undefined)
  const { module, strategy } = await loadHandlers(options)
  let error: Error | undefined
  const mocking = createMocking({
    file,
    worker,
    expose,
    answer,
    onUnhandledRequest: strategy ?? 'warn',
    // The terminal shows the console of the tests, and a line for each request would hide other lines.
    quiet: true,
    // A page may run one test file after the other.
    isAlone: true,
    showError: (shown) => (error = shown),
  })
  if (expose) (await import('@understudy/engine/internal/expose')).expose(mocking)
  if (!(await mocking.take(module)))
    throw withoutStack(
      error ?? toFailure('US0821', 'start mocking: the handlers do not answer. See the console of the page.'),
    )
  const mocked = mocking.worker
  const { '~network': network } = mocked
  callers?.stop()
  const gate = getGate()
  callers = strategy === 'error' && gate ? new Callers(network, gate) : undefined
  const run = new TestRun({
    mocked,
    run(_scope, isConcurrent, test) {
      if (!isConcurrent) callers?.forget()
      return test()
    },
    current: () => undefined,
    boundary() {
      throw toFailure(
        'US0822',
        'create a boundary: browsers have no async context, which shows the test that made a request. ' +
          'Run tests that add handlers one after the other, or in Node.',
      )
    },
    async settle() {
      // The worker answers after it has reported all earlier requests to the page.
      const isByWorker = navigator.serviceWorker?.controller?.scriptURL === new URL(worker.url, location.href).href
      if (isByWorker) await nativeFetch(`${worker.url}?understudy-probe=asked`, { method: 'POST', body: ' ' })
      await new Promise((resolve) => setTimeout(resolve))
    },
  })
  reportUnhandled(
    network,
    strategy === 'error',
    (fault) => run.blame(fault),
    (requestId) => callers?.stackOf(requestId) ?? '',
  )
  run.register(vitest)
  setRunningServer(run.server)
}
