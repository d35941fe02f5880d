import { Headers } from '../../core/platform.ts'
import type { ResultFormat, ResultFrame } from './result-format.ts'
import { createTextStream } from './text-stream.ts'

/** A response that streams results. */
export interface ResultStream {
  readonly response: Response
  /** Whether the stream has ended, or its reader has left. */
  readonly isOver: boolean
  /** Waits until the reader has caught up. */
  room(): Promise<void>
  /** Writes a frame; `error` and `complete` end the stream. Returns `false` if the reader has left. */
  write(frame: ResultFrame): boolean
  /** Calls a function when the stream has ended, or its reader has left. */
  onEnd(ended: () => void): void
}

/**
 * Opens a stream of results.
 *
 * @param headers additional headers of the response
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
