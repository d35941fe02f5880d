/** The bytes of a response's body, as far as they have come. */
export class ReceivedBody {
  #chunks: Uint8Array<ArrayBuffer>[] = []
  /** What of the text was read so far; it grows with the body. */
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
   * The bytes as text. A byte order mark says more of them than anybody else.
   *
   * @param encoding what they are where they do not say so themselves
   * @param isWhole whether no more will come: until then, half a character waits for its rest
   * @see https://encoding.spec.whatwg.org/#decode
   */
  text(encoding: (start: string) => string, isWhole: boolean): string {
    let text = this.#text
    if (!text) {
      const start = this.#start()
      const decoder = createDecoder(markedEncoding(start) ?? encoding(start))
      text = { decoder, value: '', chunks: 0 }
      // With less, it is not sure yet which bytes they are.
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

/** Within how many bytes a document says what its bytes are. */
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
