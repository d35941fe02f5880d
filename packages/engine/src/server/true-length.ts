import { print } from '../core/failure.ts'
import { Response } from '../core/platform.ts'
import { knownBodyOf } from '../core/responses/http-response.ts'

/** Keep the platform's function, because tests may replace timers with fake ones. */
const schedule = setTimeout

type Read = ReadableStreamReadResult<Uint8Array<ArrayBuffer>>

/**
 * Returns the response with the actual length of its body. Otherwise, a client waits forever for the rest of a body
 * that is shorter than its Content-Length, and reads the rest of a longer one as the next response. A body that is
 * available as a whole gets its actual length. A stream stays a stream: the bytes after the declared length are cut
 * off, and a stream that ends early fails, so that the client gets an error.
 *
 * @returns a promise only if the body must be read first
 * @see https://www.rfc-editor.org/rfc/rfc9112#section-6.3
 */
export function withTrueLength(response: Response, request: Request): Response | Promise<Response> {
  const declared = response.headers.get('content-length')
  const { body } = response
  if (declared === null || body === null || request.method === 'HEAD') return response
  if (declared === String(knownBodyOf(response)?.length)) return response
  return checkLength(response, request, declared, body.getReader())
}

async function checkLength(
  { status, statusText, headers }: Response,
  request: Request,
  declared: string,
  reader: ReadableStreamDefaultReader<Uint8Array<ArrayBuffer>>,
): Promise<Response> {
  const first = await reader.read()
  if (first.done) return withBody(new Uint8Array(0))
  const next = reader.read()
  // A body that is available as a whole ends in this turn of the event loop.
  const turn = new Promise<undefined>((resolve) => {
    schedule(resolve, 0)
  })
  const second = await Promise.race([next.catch(() => undefined), turn])
  if (second?.done) return withBody(first.value)
  return new Response(toStream([first, next], reader, Number(declared), report), { status, statusText, headers })

  function withBody(bytes: Uint8Array<ArrayBuffer>): Response {
    if (declared !== String(bytes.byteLength)) report(`${bytes.byteLength} bytes`, 'Understudy sends the true length')
    headers.set('content-length', String(bytes.byteLength))
    return new Response(bytes, { status, statusText, headers })
  }

  function report(length: string, consequence: string): void {
    print.warn(
      'US0222',
      `The mocked response to ${request.method} ${request.url} declares a Content-Length of ${declared}, but its body has ${length}. ` +
        `${consequence}. Remove the header, for example by response.headers.delete("content-length").`,
    )
  }
}

/** @param read the bytes that were already read */
function toStream(
  read: (Read | Promise<Read>)[],
  reader: ReadableStreamDefaultReader<Uint8Array<ArrayBuffer>>,
  declared: number,
  report: (length: string, consequence: string) => void,
): ReadableStream<Uint8Array> {
  let left = declared
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { value, done } = await (read.shift() ?? reader.read())
      if (done) {
        if (left > 0) {
          report(`${declared - left} bytes`, 'The response fails where its body ends')
          controller.error(new TypeError('terminated'))
        } else controller.close()
        return
      }
      if (value.byteLength > left) {
        report(`more than ${declared} bytes`, 'Understudy cuts the rest off')
        if (left > 0) controller.enqueue(value.subarray(0, left))
        controller.close()
        await reader.cancel().catch(() => {})
        return
      }
      left -= value.byteLength
      controller.enqueue(value)
    },
    cancel: (reason) => reader.cancel(reason),
  })
}
