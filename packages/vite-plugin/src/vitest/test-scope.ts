import { stackOf, toFailure, withStack } from './failure.ts'
import type { SeenRequest } from './seen-request.ts'

/** The state of one run of a test, or of code outside tests. */
export class TestScope {
  /** The test's full name; `undefined` outside tests. */
  readonly name: string | undefined
  readonly requests: SeenRequest[] = []
  /** The errors by their messages, so that retries of the app are reported once. */
  readonly #faults = new Map<string, Error>()
  readonly #end = new AbortController()
  // In Cloudflare's `workerd`, a request of a Worker cannot read the signal that the test has created.
  hasEnded = false

  constructor(name?: string) {
    this.name = name
  }

  /** Aborted when the test ends. */
  get signal(): AbortSignal {
    return this.#end.signal
  }

  addFault(fault: Error): void {
    if (!this.#faults.has(fault.message)) this.#faults.set(fault.message, fault)
  }

  end(): void {
    this.hasEnded = true
    this.#end.abort()
  }

  /** @throws {Error} if requests of the test failed */
  throwFaults(): void {
    const [first, ...others] = this.#faults.values()
    this.#faults.clear()
    if (!first) return
    if (others.length === 0) throw first
    const faults = [first, ...others].map(({ message }) => message)
    const failure = toFailure('US0824', `answer ${faults.length} requests:\n\n${faults.join('\n\n')}`)
    throw withStack(failure, [first, ...others].map(stackOf).filter(Boolean).join('\n'))
  }
}
