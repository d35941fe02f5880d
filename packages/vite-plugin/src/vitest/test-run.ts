import type { HandlersState } from '@understudy/engine'
import type { SetupWorker } from '@understudy/engine/browser'
import type { Server } from '@understudy/engine/node'

import { toFailure } from './failure.ts'
import { ScopedEvents } from './scoped-events.ts'
import { observeRequests } from './seen-request.ts'
import { TestScope } from './test-scope.ts'
import type { TestServer } from './test-server.ts'

/** The functions of Vitest (4.1 and later) that the set-up module passes. */
export interface VitestHooks {
  readonly aroundEach?: (hook: (runTest: () => Promise<void>, context: { task: TestTask }) => Promise<void>) => void
  readonly afterAll: (hook: () => Promise<void>) => void
}

interface TestTask {
  readonly name: string
  readonly fullTestName?: string
  readonly concurrent?: boolean | undefined
}

/** The differences between tests in Node and in a browser. */
export interface TestRuntime {
  readonly mocked: Server | SetupWorker
  /** Runs a test so that its asynchronous work finds its scope. Separates a concurrent test from the others. */
  run(scope: TestScope, isConcurrent: boolean, test: () => Promise<void>): Promise<void>
  /** Returns the scope of the current code, if the runtime knows it. */
  current(): TestScope | undefined
  readonly boundary: TestServer['boundary']
  /** Waits for decisions about requests that were made until now. */
  settle(): Promise<void>
}

type HandlerList = ReturnType<TestServer['listHandlers']>

/** The tests of a file. Each starts with the same handlers, and fails because of its own requests. */
export class TestRun {
  readonly server: TestServer
  readonly #runtime: TestRuntime
  /** The scope of code that runs before, after and between tests. */
  readonly #outside = new TestScope()
  readonly #running = new Set<TestScope>()
  /** The runtime handlers from before the current tests. */
  #kept: HandlerList = []
  /** The scenarios that were active then. */
  #keptScenarios: readonly string[] = []

  constructor(runtime: TestRuntime) {
    this.#runtime = runtime
    const { mocked } = runtime
    const { '~network': network } = mocked
    this.server = {
      ...mocked,
      resetHandlers(...handlers) {
        mocked.resetHandlers(...handlers)
        network.scenarios?.activate([])
      },
      scenario(...names) {
        if (!network.scenarios) throw toMissingScenarios(names)
        network.scenarios.activate(names)
      },
      boundary: runtime.boundary,
      events: new ScopedEvents(mocked.events, () => this.#scope()),
      requests: () => [...(this.#scope() ?? this.#outside).requests],
    }
    observeRequests(network, (seen) => (this.#scope() ?? this.#outside).requests.push(seen))
  }

  /** @throws {Error} if this Vitest is too old */
  register({ aroundEach, afterAll }: VitestHooks): void {
    if (!aroundEach) {
      throw toFailure('US0825', 'set up the tests: this Vitest has no "aroundEach". Update Vitest to 4.1 or later.')
    }
    aroundEach(async (runTest, { task }) => {
      const scope = new TestScope(task.fullTestName ?? task.name)
      if (this.#running.size === 0) {
        this.#kept = this.#handlersOf('runtime')
        this.#keptScenarios = this.server['~network'].scenarios?.active ?? []
      }
      this.#running.add(scope)
      try {
        await this.#runtime.run(scope, task.concurrent === true, runTest)
        if (this.#canFail()) await this.#runtime.settle()
      } finally {
        this.#running.delete(scope)
        scope.end()
        if (this.#running.size === 0) await this.#startAnew(scope)
      }
      scope.throwFaults()
    })
    afterAll(async () => {
      if (this.#canFail()) await this.#runtime.settle()
      this.#outside.throwFaults()
    })
  }

  /** Fails the test that made a request. If it is unknown, fails the file of the tests. */
  blame(fault: Error): void {
    const scope = this.#scope()
    if (scope && !scope.hasEnded) {
      scope.addFault(fault)
    } else if (scope) {
      this.#blameFile(`the test "${scope.name}" had ended when it came. Wait for it in the test.`, fault)
    } else if (this.#running.size > 0) {
      const names = Array.from(this.#running, ({ name }) => `"${name}"`).join(', ')
      this.#blameFile(`one of the concurrent tests made it, and Understudy cannot tell which: ${names}.`, fault)
    } else {
      this.#outside.addFault(fault)
    }
  }

  #blameFile(reason: string, fault: Error): void {
    this.#outside.addFault(toFailure('US0826', `answer a request: ${reason}\n${fault.message}`))
  }

  /**
   * Returns the current scope. Without an async context, for example in a server's connection, the only running test.
   */
  #scope(): TestScope | undefined {
    const [first, ...others] = this.#running
    return this.#runtime.current() ?? (others.length === 0 ? first : undefined)
  }

  #canFail(): boolean {
    return this.server['~network'].unhandled.decides
  }

  #handlersOf(layer: 'initial' | 'runtime'): HandlerList {
    const entries = this.server['~network'].layers.entries()
    return entries.filter((entry) => entry.layer === layer).map(({ handler }) => handler)
  }

  /** Restores the state for the next test. */
  async #startAnew(scope: TestScope): Promise<void> {
    const { server } = this
    const runtime = this.#handlersOf('runtime')
    const { layers, scenarios } = server['~network']
    const isChanged =
      runtime.length !== this.#kept.length ||
      runtime.some((handler, i) => handler !== this.#kept[i]) ||
      (scenarios?.active ?? []).join() !== this.#keptScenarios.join()
    if (isChanged || layers.entries().some(({ hits }) => hits > 0)) {
      // Resets `once` handlers and generators.
      server.resetHandlers(...this.#handlersOf('initial'))
      scenarios?.activate(this.#keptScenarios)
      if (this.#kept.length > 0) server.use(...this.#kept)
    }
    server.cookies.clear()
    await this.#resetState(scope)
  }

  /** Resets what the handlers module exports as `state`. A test fails if the state that it leaves cannot be reset. */
  async #resetState(scope: TestScope): Promise<void> {
    for (const state of this.server['~network'].states?.values() ?? []) {
      for (const [name, part] of Object.entries((state ?? {}) as Partial<HandlersState>)) {
        try {
          if (typeof part?.read === 'function') await part.reset?.()
        } catch (error) {
          const { message } = error as Error
          scope.addFault(
            toFailure(
              'US0830',
              `reset the state ${JSON.stringify(name)} after a test: ${message}. Correct its function reset().`,
            ),
          )
        }
      }
    }
  }
}

function toMissingScenarios(names: readonly string[]): Error {
  return toFailure(
    'US0829',
    `activate the scenario ${names.map((name) => `"${name}"`).join(', ')}: the handlers module exports no scenarios. ` +
      'Export them: export const scenarios = { empty: [http.get(path, resolver)] }.',
  )
}
