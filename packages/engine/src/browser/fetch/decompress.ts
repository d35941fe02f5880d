import { print } from '../../core/failure.ts'

type Body = Response['body']

const formatOf = new Map<string, CompressionFormat>([
  ['gzip', 'gzip'],
  ['x-gzip', 'gzip'],
  ['deflate', 'deflate'],
  ['br', 'brotli' as CompressionFormat],
])

/**
 * Decompresses a body if `Content-Encoding` declares a compression, because browsers decompress only responses of the
 * network. A body with an unknown coding stays unchanged. So does a body that is already decoded: that of a response of
 * `fetch`, or of a response with copied headers of such a response.
 *
 * @see https://fetch.spec.whatwg.org/#handle-content-codings
 */
export function decompressedBody({ body, headers, type }: Response): Body {
  const names = (headers.get('content-encoding') ?? '').toLowerCase().split(',')
  const formats = names.map((name) => formatOf.get(name.trim()))
  if (body === null || type !== 'default' || !formats.every((format) => format !== undefined)) return body
  try {
    const decoders = formats.map((format) => new DecompressionStream(format)).reverse()
    const codings = formats.toReversed()
    return decoders.reduce<NonNullable<Body>>(
      (stream, decoder, index) => decodeUnlessDecoded(stream, decoder, codings[index]),
      body,
    )
  } catch (error) {
    print.warn(
      'US0221',
      `Failed to decompress a mocked response: this browser does not support "${names.join(',').trim()}". ` +
        'The app gets the body as it is. Use gzip or deflate.',
      error,
    )
    return body
  }
}

type Bytes = Uint8Array<ArrayBuffer>

/** Decodes a stream, unless its first bytes say that it is not encoded. */
function decodeUnlessDecoded(
  stream: ReadableStream<Bytes>,
  decoder: ReadableWritablePair<Bytes, BufferSource>,
  format: CompressionFormat | undefined,
): ReadableStream<Bytes> {
  const source = stream.getReader()
  const begin = async (): Promise<ReadableStreamDefaultReader<Bytes>> => {
    const first = await source.read()
    const whole = new ReadableStream<Bytes>({
      start(controller) {
        if (first.done) controller.close()
        else controller.enqueue(first.value)
      },
      async pull(controller) {
        const { done, value } = await source.read()
        if (done) controller.close()
        else controller.enqueue(value)
      },
      cancel: (reason) => source.cancel(reason),
    })
    const isEncoded = first.value !== undefined && mayBe(format, first.value)
    return (isEncoded ? whole.pipeThrough(decoder) : whole).getReader()
  }
  let reader: Promise<ReadableStreamDefaultReader<Bytes>> | undefined
  return new ReadableStream<Bytes>(
    {
      async pull(controller) {
        reader ??= begin()
        const { done, value } = await (await reader).read()
        if (done) controller.close()
        else controller.enqueue(value)
      },
      cancel: async (reason) => (reader ? (await reader).cancel(reason) : source.cancel(reason)),
    },
    { highWaterMark: 0 },
  )
}

/**
 * Returns whether bytes can begin a compressed stream. A Brotli stream may begin with any bytes.
 *
 * @see https://www.rfc-editor.org/rfc/rfc1952#page-6
 * @see https://www.rfc-editor.org/rfc/rfc1950#page-5
 */
function mayBe(format: CompressionFormat | undefined, [first = 0, second]: Bytes): boolean {
  if (format === 'gzip') return first === 0x1f && (second === undefined || second === 0x8b)
  if (format === 'deflate') return (first & 0x0f) === 8 && (second === undefined || (first * 256 + second) % 31 === 0)
  return true
}
