import { frames, type ResultFrame } from './result-format.ts'

/** Returns whether the type of a response is JSON. */
export function isJson(response: Response): boolean {
  return /^application\/(?:json|graphql-response\+json|graphql\+json)\b/i.test(contentTypeOf(response))
}

function contentTypeOf(response: Response): string {
  return response.headers.get('content-type') ?? ''
}

/** Parses a result from the text of a response. A text that is not JSON becomes an error. */
export function parseResult(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return { errors: [{ message: text === '' ? 'The response has no body.' : text }] }
  }
}

/**
 * Iterates over the results in a response of any form: one result, or a stream of results. A body that ends without a
 * last frame is complete. Rejects if the body cannot be read.
 *
 * @param signal aborts the response, also while waiting for it
 */
export async function* readResults(
  response: Response,
  signal?: AbortSignal,
): AsyncGenerator<ResultFrame, void, undefined> {
  const type = contentTypeOf(response)
  const { body } = response
  if (body !== null && type.startsWith(frames.contentType)) {
    for await (const line of readChunks(body, '\n', signal)) yield JSON.parse(line) as ResultFrame
    return
  }
  if (body !== null && type.startsWith('text/event-stream')) {
    yield* readEvents(readChunks(body, /\r\n\r\n|\n\n|\r\r/, signal))
    return
  }
  if (body !== null && type.startsWith('multipart/mixed')) {
    const boundary = /boundary="?([^";]+)"?/i.exec(type)?.[1] ?? '-'
    yield* readParts(readChunks(body, `\r\n--${boundary}`, signal))
    return
  }
  const result = parseResult(await response.text())
  yield isResult(result) ? { type: 'next', payload: result } : { type: 'error', payload: [describeFailure(response)] }
  yield { type: 'complete' }
}

function isResult(value: unknown): boolean {
  return typeof value === 'object' && value !== null && ('data' in value || 'errors' in value)
}

function describeFailure({ status, statusText }: Response): object {
  return { message: `The response is not a GraphQL result: ${status} ${statusText}`.trimEnd() }
}

/** https://html.spec.whatwg.org/multipage/server-sent-events.html#event-stream-interpretation, as far as GraphQL uses it */
async function* readEvents(blocks: AsyncIterable<string>): AsyncGenerator<ResultFrame, void, undefined> {
  for await (const block of blocks) {
    const fields = block.split(/\r\n|[\n\r]/).map((line) => /^(event|data): ?(.*)$/s.exec(line))
    const data = fields.flatMap((field) => (field?.[1] === 'data' ? [field[2] ?? ''] : [])).join('\n')
    const event = fields.findLast((field) => field?.[1] === 'event')?.[2] ?? 'next'
    if (event === 'complete') {
      yield { type: 'complete' }
      return
    }
    if (event === 'next' && data !== '') yield { type: 'next', payload: parseResult(data) }
  }
  yield { type: 'complete' }
}

async function* readParts(parts: AsyncIterable<string>): AsyncGenerator<ResultFrame, void, undefined> {
  for await (const part of parts) {
    const start = part.indexOf('\r\n\r\n')
    if (start === -1) continue
    const message = parseResult(part.slice(start)) as { payload?: unknown; errors?: readonly unknown[] }
    if (message.payload) yield { type: 'next', payload: message.payload }
    if (message.errors) yield { type: 'error', payload: message.errors }
  }
  yield { type: 'complete' }
}

/** Iterates over the texts between separators as they arrive. */
async function* readChunks(
  body: ReadableStream<Uint8Array>,
  separator: string | RegExp,
  signal: AbortSignal | undefined,
): AsyncGenerator<string, void, undefined> {
  const reader = body.getReader()
  const stop = (): void => void reader.cancel().catch(() => {})
  if (signal?.aborted) stop()
  signal?.addEventListener('abort', stop, { once: true })
  const decoder = new TextDecoder()
  let text = ''
  try {
    for (;;) {
      const { done, value } = await reader.read()
      text += decoder.decode(value, { stream: !done })
      const chunks = text.split(separator)
      text = chunks.pop() ?? ''
      for (const chunk of chunks) if (chunk !== '') yield chunk
      if (done) return
    }
  } finally {
    signal?.removeEventListener('abort', stop)
    stop()
  }
}
