import { Headers } from '../../core/platform.ts'
import type { ResultFormat, ResultFrame } from './result-format.ts'
import { createTextStream } from './text-stream.ts'

/** A response that carries results while they come. */
export interface ResultStream {
  readonly response: Response
  /** Whether it has ended, or nobody reads it any more. */
  readonly isOver: boolean
  /** Waits until the reader has caught up. */
  room(): Promise<void>
  /** Writes a frame; `error` and `complete` end the stream. Returns whether there still was somebody to read it. */
  write(frame: ResultFrame): boolean
  /** Calls a function when the stream has ended, or nobody reads it any more. */
  onEnd(ended: () => void): void
}

/**
 * Opens a stream of results.
 *
 * @param headers what the response has besides the format's own
 */
export function createResultStream(format: ResultFormat, headers: Headers = new Headers()): ResultStream {
  headers.delete('content-length')
  headers.set('content-type', format.contentType)
  if (!headers.has('cache-control')) headers.set('cache-control', 'no-cache')
  const stream = createTextStream(headers)
  stream.write(format.preamble)
  return {
    response: stream.response,
    get isOver() {
      return stream.isOver
    },
    room: () => stream.room(),
    onEnd: (ended) => stream.onEnd(ended),
    write(frame) {
      if (stream.isOver) return false
      stream.write(format.write(frame))
      if (frame.type !== 'next') stream.close()
      return true
    },
  }
}
