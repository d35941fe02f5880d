import { toFailure } from './failure.ts'
import type { SeenRequest } from './seen-request.ts'

/** What belongs to one run of one test, or to what runs outside of tests. */
export class TestScope {
  /** The test's full name; nothing: outside of tests. */
  readonly name: string | undefined
  readonly requests: SeenRequest[] = []
  /** By their messages: an app that tries again is told once. */
  readonly #faults = new Map<string, Error>()
  readonly #end = new AbortController()

  constructor(name?: string) {
    this.name = name
  }

  get hasEnded(): boolean {
    return this.#end.signal.aborted
  }

  /** Aborted when the test ends. */
  get signal(): AbortSignal {
    return this.#end.signal
  }

  addFault(fault: Error): void {
    this.#faults.set(fault.message, fault)
  }

  end(): void {
    this.#end.abort()
  }

  /** @throws what went wrong, where something did */
  throwFaults(): void {
    const [first, ...others] = this.#faults.values()
    this.#faults.clear()
    if (!first) return
    if (others.length === 0) throw first
    const faults = [first, ...others].map(({ message }) => message)
    throw toFailure('US0824', `answer ${faults.length} requests:\n\n${faults.join('\n\n')}`)
  }
}
