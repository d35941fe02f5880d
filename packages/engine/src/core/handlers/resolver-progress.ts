import type { Finalizers } from '../network/finalizers.ts'
import type { HandlerState } from './handler-state.ts'
import type { RequestHandler } from './request-handler.ts'

/** A generator on its way: one step for each request, the last answer repeats. */
export interface Progress {
  iterator: Iterator<unknown, unknown, unknown> | AsyncIterator<unknown, unknown, unknown>
  /** What the generator's `finalize` was given; it runs when the generator has ended. */
  finalizers: Finalizers
  last: Response | undefined
  isDone: boolean
  /** Steps wait for each other: two requests at once get two answers, in their order. */
  turn: Promise<unknown>
}

/** How far the generators of handlers went. */
export const progresses: WeakMap<HandlerState, Progress> = new WeakMap()

/** Forgets how far a handler's generator went: the next request starts it anew. */
export function resetProgress(handler: RequestHandler): void {
  const progress = progresses.get(handler['~state'])
  progresses.delete(handler['~state'])
  if (!progress) return
  progress.finalizers.run()
  void endIterator(progress.iterator)
}

/** Ends a generator that nobody asks any more. */
export async function endIterator(iterator: Progress['iterator']): Promise<void> {
  try {
    await iterator.return?.()
  } catch {
    // A generator may be running, or throw on its way out: nobody waits for it any more.
  }
}
