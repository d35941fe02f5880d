import { print } from '../core/failure.ts'

type Body = Response['body']

const formatOf = new Map<string, CompressionFormat>([
  ['gzip', 'gzip'],
  ['x-gzip', 'gzip'],
  ['deflate', 'deflate'],
  ['br', 'brotli' as CompressionFormat],
])

/**
 * The body as clients read it, where `Content-Encoding` says that it is compressed: browsers decompress what comes from
 * the network, and nothing else. A body with an unknown coding stays as it is.
 *
 * @see https://fetch.spec.whatwg.org/#handle-content-codings
 */
export function decompressedBody({ body, headers }: Response): Body {
  const names = (headers.get('content-encoding') ?? '').toLowerCase().split(',')
  const formats = names.map((name) => formatOf.get(name.trim()))
  if (body === null || !formats.every((format) => format !== undefined)) return body
  try {
    const decoders = formats.map((format) => new DecompressionStream(format)).reverse()
    return decoders.reduce<NonNullable<Body>>((stream, decoder) => stream.pipeThrough(decoder), body)
  } catch (error) {
    print.warn(
      `Failed to decompress a mocked response: this browser knows no "${names.join(',').trim()}". ` +
        'The body is given out as it is. Use gzip or deflate.',
      error,
    )
    return body
  }
}
