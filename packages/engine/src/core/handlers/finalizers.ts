import { print } from '../failure.ts'
import { Headers } from '../platform.ts'
import { givenHeadersOf, HttpResponse, setCookiesOf } from '../responses/http-response.ts'
import { mark } from '../responses/response-marks.ts'

/** Functions that run when a request is over. The function that was added last runs first. */
export class Finalizers {
  /** Created with the first function, because most handlers add none. */
  #cleanups: (() => unknown)[] | undefined
  #isOver = false
  readonly #signal: AbortSignal | undefined

  /** @param signal ends the request when it aborts, also while the body of the response is sent */
  constructor(signal?: AbortSignal) {
    this.#signal = signal
  }

  get isEmpty(): boolean {
    return !this.#cleanups?.length
  }

  /** Adds a function. If the request is already over, runs it at once. */
  add(cleanup: () => unknown): void {
    // A listener costs time for every request.
    if (!this.#cleanups) this.#signal?.addEventListener('abort', () => this.run())
    ;(this.#cleanups ??= []).push(cleanup)
    if (this.#isOver || this.#signal?.aborted) this.run()
  }

  /**
   * Runs each added function once. It does not await asynchronous functions, because the response and the next function
   * must not wait for them. If a function throws or rejects, reports the error and runs the others.
   */
  run(): void {
    this.#isOver = true
    for (let cleanup = this.#cleanups?.pop(); cleanup; cleanup = this.#cleanups?.pop()) {
      try {
        // A promise of another realm (jsdom, `node:vm`) is not an instance of this realm's class.
        Promise.resolve(cleanup()).catch(report)
      } catch (error) {
        report(error)
      }
    }
  }
}

function report(error: unknown): void {
  print.error('US0216', 'Failed to finalize a request: the function passed to finalize() threw. See the error.', error)
}

/**
 * Returns a response that runs the finalizers when its body was read to the end. If it has no body, they run at once.
 */
export function finalizeAfter(response: Response, finalizers: Finalizers): Response {
  if (finalizers.isEmpty) return response
  // React Native's responses show no stream.
  if (!response.body) {
    finalizers.run()
    return response
  }
  return withBody(
    response,
    onStreamEnd(response.body, () => finalizers.run()),
  )
}

/** Returns a response with the same status and headers, including `Set-Cookie`, and another body. */
export function withBody(response: Response, body: BodyInit | null): HttpResponse {
  const { status, statusText } = response
  const headers = new Headers(response.headers)
  headers.delete('set-cookie')
  for (const setCookie of setCookiesOf(response)) headers.append('set-cookie', setCookie)
  const copy = new HttpResponse(body, { status, statusText, headers })
  mark(copy).given = givenHeadersOf(response)
  return copy
}

/**
 * Wraps a stream, and reports when it was read to its end, cancelled or broken.
 *
 * @param ended called with whether the stream was cancelled. Returns `false` if the reader must not wait for the end of the source
 */
export function onStreamEnd(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
  ended: (isCancelled: boolean) => boolean | void,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  const reader = body.getReader()
  return new ReadableStream<Uint8Array<ArrayBuffer>>(
    {
      async pull(controller) {
        try {
          const { done, value } = await reader.read()
          if (!done) {
            controller.enqueue(value)
            return
          }
          controller.close()
        } catch (error) {
          controller.error(error)
        }
        ended(false)
      },
      async cancel(reason) {
        const isAwaited = ended(true)
        const end = reader.cancel(reason)
        if (isAwaited !== false) await end
        else end.catch(() => {})
      },
    },
    { highWaterMark: 0 },
  )
}

/**
 * Cancels a body that no code reads. The source of a stream may refuse: an error of it would have no reader, and end a
 * process of Node.
 */
export function discardBody(body: ReadableStream<unknown> | null | undefined): void {
  body?.cancel().catch(() => {})
}
