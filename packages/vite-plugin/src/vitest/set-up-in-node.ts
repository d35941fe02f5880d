import { AsyncLocalStorage } from 'node:async_hooks'
import process from 'node:process'
import { setImmediate } from 'node:timers'

import { createServerMocking } from '@understudy/engine/internal/node'

import { rememberCallers, stackOfCaller } from './callers.ts'
import { withoutStack } from './failure.ts'
import { loadHandlers, type SetUpOptions } from './load-handlers.ts'
import { TestRun } from './test-run.ts'
import type { TestScope } from './test-scope.ts'
import { setRunningServer } from './test-server.ts'
import { reportUnhandled } from './unhandled-requests.ts'

const key = Symbol.for('understudy.vitest')
const holder = process as { [key]?: { close(): void } }

/**
 * Mocks the requests of a test file that runs in Node, jsdom or happy-dom.
 *
 * @throws {Error} if the handlers are invalid, or Vitest is too old
 */
export async function setUp(options: SetUpOptions): Promise<void> {
  // Several files may run in the same process, with or without separate contexts. The interception of `http` and
  // sockets belongs to the process.
  holder[key]?.close()
  setRunningServer(undefined)

  const { module, strategy } = await loadHandlers(options)
  const mocking = createServerMocking({ file: options.file, onUnhandledRequest: strategy ?? 'warn' })
  const { server } = mocking
  await mocking.take(module).catch((error: Error) => {
    throw withoutStack(error)
  })
  const scopes = new AsyncLocalStorage<TestScope>()
  const run = new TestRun({
    mocked: server,
    run: (scope, isConcurrent, test) => scopes.run(scope, isConcurrent ? server.boundary(test) : test),
    current: () => scopes.getStore(),
    boundary: (callback) => server.boundary(callback),
    settle: () =>
      new Promise((resolve) => {
        setImmediate(resolve)
      }),
  })
  rememberCallers()
  reportUnhandled(server['~network'], strategy === 'error', (fault) => run.blame(fault), stackOfCaller)
  run.register(options.vitest)
  setRunningServer(run.server)
  holder[key] = server
}
