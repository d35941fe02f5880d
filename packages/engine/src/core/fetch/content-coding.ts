/**
 * Returns whether a body that begins with these bytes can have a `Content-Encoding`. A resolver may have copied the
 * headers of a response whose body `fetch` had decoded.
 *
 * @param codings the header's value
 */
export function mayBeginCoding(codings: string, bytes: Uint8Array): boolean {
  return mayBegin(outermostCoding(codings), bytes)
}

/** Returns the coding that is decoded first. */
function outermostCoding(codings: string): string {
  return codings.toLowerCase().split(',').at(-1)?.trim() ?? ''
}

/**
 * Returns whether bytes can begin a compressed stream.
 *
 * @see https://www.rfc-editor.org/rfc/rfc1952#page-6
 * @see https://www.rfc-editor.org/rfc/rfc1950#page-5
 * @see https://www.rfc-editor.org/rfc/rfc8878#section-3.1.1
 */
function mayBegin(coding: string, bytes: Uint8Array): boolean {
  const [first = 0, second] = bytes
  switch (coding) {
    case 'gzip':
    case 'x-gzip':
      return first === 0x1f && (second === undefined || second === 0x8b)
    case 'deflate':
      return (first & 0x0f) === 8 && (second === undefined || (first * 256 + second) % 31 === 0)
    case 'zstd':
      return first === 0x28 && (second === undefined || second === 0xb5)
    case 'br':
      return mayBeginBrotli(bytes)
    default:
      return true
  }
}

/** Any bytes can begin a Brotli stream, but decoding text fails soon. Without Node's decoder, nothing shows it. */
function mayBeginBrotli(bytes: Uint8Array): boolean {
  const { process } = globalThis as { process?: Partial<NodeProcess> }
  const zlib = process?.getBuiltinModule?.('node:zlib')
  if (!zlib) return true
  const finishFlush = zlib.constants['BROTLI_OPERATION_FLUSH'] as number
  try {
    zlib.brotliDecompressSync(bytes.subarray(0, 1024), { finishFlush, maxOutputLength: 1024 })
    return true
  } catch (error) {
    return (error as { code?: unknown }).code === 'ERR_BUFFER_TOO_LARGE'
  }
}

interface NodeProcess {
  getBuiltinModule(name: 'node:zlib'): {
    readonly constants: Readonly<Record<string, number>>
    brotliDecompressSync(bytes: Uint8Array, options: { finishFlush: number; maxOutputLength: number }): Uint8Array
  }
}
