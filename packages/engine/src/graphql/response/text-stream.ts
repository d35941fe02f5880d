import { HttpResponse } from '../../core/responses/http-response.ts'

/** A response whose text is written in parts. */
export interface TextStream {
  readonly response: Response
  /** Whether the stream was closed, or its reader has left. */
  readonly isOver: boolean
  /** Waits until the reader has caught up: an endless source must not run ahead of it. */
  room(): Promise<void>
  /** Writes text. Has no effect if the stream is over. */
  write(text: string): void
  close(): void
  /** Calls a function when the stream is over. If it is already over, calls it at once. */
  onEnd(ended: () => void): void
}

const encoder = new TextEncoder()

/** Creates a stream. */
export function createTextStream(headers: HeadersInit): TextStream {
  const listeners: (() => void)[] = []
  let isOver = false
  let isFull = true
  let wanted = Promise.withResolvers<void>()
  let controller: ReadableStreamDefaultController<Uint8Array<ArrayBuffer>> | undefined

  function end(): void {
    isOver = true
    wanted.resolve()
    for (const ended of listeners.splice(0)) ended()
  }
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
    start(opened) {
      controller = opened
    },
    pull() {
      isFull = false
      wanted.resolve()
    },
    cancel: end,
  })
  return {
    response: new HttpResponse(body, { headers }),
    get isOver() {
      return isOver
    },
    room: () => wanted.promise,
    write(text) {
      if (isOver || text === '') return
      controller?.enqueue(encoder.encode(text))
      if (isFull || (controller?.desiredSize ?? 0) > 0) return
      isFull = true
      wanted = Promise.withResolvers()
    },
    close() {
      if (isOver) return
      controller?.close()
      end()
    },
    onEnd(ended) {
      if (isOver) ended()
      else listeners.push(ended)
    },
  }
}
