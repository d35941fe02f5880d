import { pipeline, Readable, type Duplex } from 'node:stream'
import type { ReadableStream as NodeReadableStream } from 'node:stream/web'
import zlib from 'node:zlib'

type Bytes = ReadableStream<Uint8Array<ArrayBuffer>>

/**
 * The body as a client of `fetch` reads it, where `Content-Encoding` says that it is compressed.
 *
 * @param codings the header's text; with an unknown coding in it the body stays as it is, as with Node's own `fetch`
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
  // What goes wrong is what the reader of the last stream gets.
  const decoded = pipeline([source, ...decoders], () => {}) as unknown as Readable
  return Readable.toWeb(Readable.from(readBytes(decoded))) as Bytes
}

async function* readBytes(stream: Readable): AsyncGenerator<Uint8Array<ArrayBuffer>, void, undefined> {
  try {
    for await (const chunk of stream) yield new Uint8Array(chunk as Buffer)
  } catch (cause) {
    throw new TypeError('terminated', { cause })
  }
}

// Servers end streams early and clients bear it: what has come is given out, as curl and Node's own fetch do.
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
      // Node has it since 22.15.
      return 'createZstdDecompress' in zlib ? zlib.createZstdDecompress() : undefined
    default:
      return undefined
  }
}
