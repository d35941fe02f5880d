import { endIterator } from '../../core/handlers/resolver-progress.ts'
import type { ResultStream } from '../response/result-stream.ts'

type AnyIterable = Iterable<unknown> | AsyncIterable<unknown>

export function isIterable(value: unknown): value is AnyIterable {
  return typeof value === 'object' && value !== null && (Symbol.iterator in value || Symbol.asyncIterator in value)
}

/**
 * Publishes results to a stream. The stream completes when there are no more results. When its reader leaves, the
 * source of the results ends.
 *
 * @throws what the source throws
 */
export async function publishAll(results: AnyIterable, stream: ResultStream): Promise<void> {
  const iterator: Iterator<unknown> | AsyncIterator<unknown> =
    Symbol.asyncIterator in results ? results[Symbol.asyncIterator]() : results[Symbol.iterator]()
  stream.onEnd(() => void endIterator(iterator))
  for (;;) {
    await stream.room()
    if (stream.isOver) return
    const step = await iterator.next()
    if (step.done) stream.write({ type: 'complete' })
    else stream.write({ type: 'next', payload: step.value })
  }
}
