/**
 * Wraps the body of a request or of its response, so that it ends when the request's signal aborts: reading fails with
 * the reason, and the wrapped stream is cancelled. Otherwise a resolver that reads an upload waits forever, and a caller of
 * `fetch` gets the body of a request that it aborted. A pipe does not do this: it ignores its signal once the source has
 * closed, even if the body was not read.
 *
 * Source: https://fetch.spec.whatwg.org/#abort-fetch
 */
export function abortableBody(request: Request, body: ReadableStream<unknown>): ReadableStream<unknown> {
  // Use Node's class, because jsdom pages have no such global.
  const { ReadableStream: Stream } = process.getBuiltinModule('node:stream/web')
  const reader = body.getReader()
  let abort: () => void
  const release = (): void => request.signal.removeEventListener('abort', abort)
  return new Stream(
    {
      start(controller) {
        abort = () => {
          controller.error(request.signal.reason)
          reader.cancel(request.signal.reason).catch(() => {})
        }
        if (request.signal.aborted) abort()
        else request.signal.addEventListener('abort', abort, { once: true })
      },
      async pull(controller) {
        try {
          const { done, value } = await reader.read()
          // Keep a reference to the request until here: once it is garbage-collected, its signal no longer aborts.
          if (request.signal.aborted) return
          if (!done) {
            controller.enqueue(value)
            return
          }
          controller.close()
        } catch (error) {
          controller.error(error)
        }
        release()
      },
      cancel(reason) {
        release()
        return reader.cancel(reason)
      },
    },
    { highWaterMark: 0 },
  ) as unknown as ReadableStream<unknown>
}
