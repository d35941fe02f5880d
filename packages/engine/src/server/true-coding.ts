import { mayBeginCoding } from '../core/fetch/content-coding.ts'
import { Headers, Response } from '../core/platform.ts'

/**
 * Returns the response without the header `Content-Encoding` if its body is not compressed: a resolver may have copied
 * the headers of a response whose body `fetch` had decoded. Otherwise, a client fails to decode it.
 *
 * @returns a promise only if the body must be read first
 */
export function withTrueCoding(response: Response, request: Request): Response | Promise<Response> {
  const coding = response.headers.get('content-encoding')
  if (coding === null || response.body === null || request.method === 'HEAD') return response
  return checkCoding(response, coding, response.body.getReader())
}

async function checkCoding(
  response: Response,
  coding: string,
  reader: ReadableStreamDefaultReader<Uint8Array<ArrayBuffer>>,
): Promise<Response> {
  const { status, statusText } = response
  const headers = new Headers(response.headers)
  const first = await reader.read()
  if (first.value && !mayBeginCoding(coding, first.value)) {
    headers.delete('content-encoding')
    headers.delete('content-length')
  }
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>(
    {
      start(controller) {
        if (first.done) controller.close()
        else controller.enqueue(first.value)
      },
      async pull(controller) {
        const { value, done } = await reader.read()
        if (done) controller.close()
        else controller.enqueue(value)
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  )
  return new Response(body, { status, statusText, headers })
}
