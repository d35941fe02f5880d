/** The received bytes of a response's body. */
export class ReceivedBody {
  #chunks: Uint8Array<ArrayBuffer>[] = []
  /** The decoded part of the text. */
  #text: { decoder: TextDecoder; value: string; chunks: number } | undefined
  length = 0

  push(chunk: Uint8Array<ArrayBuffer>): void {
    this.#chunks.push(chunk)
    this.length += chunk.length
  }

  bytes(): Uint8Array<ArrayBuffer> {
    const bytes = new Uint8Array(this.length)
    let offset = 0
    for (const chunk of this.#chunks) {
      bytes.set(chunk, offset)
      offset += chunk.length
    }
    return bytes
  }

  /**
   * Decodes the bytes. A byte order mark takes precedence over `encoding`.
   *
   * @param encoding used if there is no byte order mark
   * @param isWhole whether the body is complete. Until then, an incomplete character at the end is left out
   * @see https://encoding.spec.whatwg.org/#decode
   */
  text(encoding: (start: string) => string, isWhole: boolean): string {
    let text = this.#text
    if (!text) {
      const start = this.#start()
      const decoder = createDecoder(markedEncoding(start) ?? encoding(start))
      text = { decoder, value: '', chunks: 0 }
      // Fewer bytes are not enough to detect the encoding.
      if (isWhole || this.length >= startLength) this.#text = text
    }
    for (const chunk of this.#chunks.slice(text.chunks)) text.value += text.decoder.decode(chunk, { stream: true })
    text.chunks = this.#chunks.length
    if (isWhole) text.value += text.decoder.decode()
    return text.value
  }

  /** The first bytes, each as one character. */
  #start(): string {
    let start = ''
    for (const chunk of this.#chunks) {
      if (start.length >= startLength) break
      start += String.fromCharCode(...chunk.subarray(0, startLength - start.length))
    }
    return start
  }
}

/** A document declares its encoding within this number of bytes. */
const startLength = 1024

function markedEncoding(start: string): string | undefined {
  if (start.startsWith('\xEF\xBB\xBF')) return 'utf-8'
  if (start.startsWith('\xFE\xFF')) return 'utf-16be'
  return start.startsWith('\xFF\xFE') ? 'utf-16le' : undefined
}

function createDecoder(encoding: string): TextDecoder {
  try {
    return new TextDecoder(encoding)
  } catch {
    return new TextDecoder()
  }
}
