import type { Finalizers } from './finalizers.ts'
import type { HandlerState } from './handler-state.ts'
import type { RequestHandler } from './request-handler.ts'

/** A running generator. Each request takes one step, and the last answer repeats. */
export interface Progress {
  iterator: Iterator<unknown, unknown, unknown> | AsyncIterator<unknown, unknown, unknown>
  /** The functions that were passed to the generator's `finalize`. They run when the generator has ended. */
  finalizers: Finalizers
  last: Response | undefined
  isDone: boolean
  /** Resolves when the previous step has ended, so that concurrent requests get different answers in their order. */
  turn: Promise<unknown>
}

const progresses = new WeakMap<HandlerState, Progress>()

/**
 * Generators that started and were not reset. The set keeps a reset of thousands of handlers cheap when no generator
 * runs.
 */
let started = 0

/** Returns the running generator of a handler; `undefined` if it has not started. */
export function progressOf(handler: RequestHandler): Progress | undefined {
  return progresses.get(handler['~state'])
}

/** Stores the running generator of a handler. */
export function keepProgress(handler: RequestHandler, progress: Progress): void {
  if (!progresses.has(handler['~state'])) started += 1
  progresses.set(handler['~state'], progress)
}

/** Resets the generators of handlers: the next request starts them from the beginning. */
export function resetAllProgress(handlers: () => Iterable<RequestHandler>): void {
  if (started === 0) return
  for (const handler of handlers()) resetProgress(handler)
}

/** Resets a handler's generator: the next request starts it from the beginning. */
export function resetProgress(handler: RequestHandler): void {
  const progress = progressOf(handler)
  if (!progress) return
  progresses.delete(handler['~state'])
  started -= 1
  progress.finalizers.run()
  const body = progress.last?.body
  // The kept copy of a stream keeps its source open.
  if (body && !body.locked) body.cancel().catch(() => {})
  void endIterator(progress.iterator)
}

/** Ends a generator that is no longer in use. */
export async function endIterator(iterator: Progress['iterator']): Promise<void> {
  try {
    await iterator.return?.()
  } catch {
    // The generator may still run, or throw while it ends. No code awaits it, so ignore the error.
  }
}
