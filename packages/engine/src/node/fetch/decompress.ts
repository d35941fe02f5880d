import { pipeline, Readable, type Duplex } from 'node:stream'
import type { ReadableStream as NodeReadableStream } from 'node:stream/web'
import zlib from 'node:zlib'

import { mayBeginCoding } from '../../core/fetch/content-coding.ts'

type Bytes = ReadableStream<Uint8Array<ArrayBuffer>>

/**
 * Decompresses a body as `fetch` does for its `Content-Encoding`. A body that does not begin like compressed data stays
 * unchanged: a resolver may have copied the headers of a response whose body `fetch` had decoded.
 *
 * @param codings the header's value. If it contains an unknown coding, the body stays unchanged, as with Node's own `fetch`
 * @see https://fetch.spec.whatwg.org/#handle-content-codings
 */
export function decompress(body: Bytes, codings: string): Bytes {
  const names = codings.toLowerCase().split(',')
  const decoders: Duplex[] = []
  for (const name of names.reverse()) {
    const decoder = createDecoder(name.trim())
    if (!decoder) return body
    decoders.push(decoder)
  }
  const source = Readable.fromWeb(body as NodeReadableStream)
  return Readable.toWeb(Readable.from(readBytes(source, codings, decoders))) as Bytes
}

async function* readBytes(
  source: Readable,
  codings: string,
  decoders: readonly Duplex[],
): AsyncGenerator<Uint8Array<ArrayBuffer>, void, undefined> {
  const chunks = source.iterator({ destroyOnReturn: true }) as AsyncIterator<Uint8Array, void>
  const first = await chunks.next()
  if (first.done) return
  const whole = Readable.from(chain(first.value, chunks))
  if (!mayBeginCoding(codings, first.value)) {
    for await (const chunk of whole) yield new Uint8Array(chunk as Uint8Array)
    return
  }
  // The reader of the last stream gets the error, so ignore it here.
  const decoded = pipeline([whole, ...decoders], () => {}) as unknown as Readable
  try {
    for await (const chunk of decoded) yield new Uint8Array(chunk as Buffer)
  } catch (cause) {
    throw new TypeError('terminated', { cause })
  }
}

async function* chain(
  first: Uint8Array,
  rest: AsyncIterator<Uint8Array, void>,
): AsyncGenerator<Uint8Array, void, undefined> {
  try {
    yield first
    for (let step = await rest.next(); !step.done; step = await rest.next()) yield step.value
  } finally {
    await rest.return?.()
  }
}

// Some servers end streams early. The decoders output what has arrived, as curl and Node's own fetch do.
const { Z_SYNC_FLUSH, BROTLI_OPERATION_FLUSH } = zlib.constants
const lenient = { flush: Z_SYNC_FLUSH, finishFlush: Z_SYNC_FLUSH }
const lenientBrotli = { flush: BROTLI_OPERATION_FLUSH, finishFlush: BROTLI_OPERATION_FLUSH }

function createDecoder(coding: string): Duplex | undefined {
  switch (coding) {
    case 'gzip':
    case 'x-gzip':
      return zlib.createGunzip(lenient)
    case 'deflate':
      return zlib.createInflate(lenient)
    case 'br':
      return zlib.createBrotliDecompress(lenientBrotli)
    case 'zstd':
      // Node supports it since 22.15.
      return 'createZstdDecompress' in zlib ? zlib.createZstdDecompress() : undefined
    default:
      return undefined
  }
}
