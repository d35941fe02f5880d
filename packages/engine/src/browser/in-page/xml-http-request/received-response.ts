import { isHtml, isXml, parseMimeType, type MimeType } from './mime-type.ts'
import { ReceivedBody } from './received-body.ts'

/** A response, read as an XMLHttpRequest shows it. */
export class ReceivedResponse {
  readonly body: ReceivedBody = new ReceivedBody()
  readonly #response: Response
  readonly #overridden: () => MimeType | undefined
  /** The converted body. Each read of `response` must return the same object. */
  #made: { type: XMLHttpRequestResponseType; value: unknown } | undefined

  /** @param overridden returns the argument of `overrideMimeType` */
  constructor(response: Response, overridden: () => MimeType | undefined) {
    this.#response = response
    this.#overridden = overridden
  }

  get status(): number {
    return this.#response.status
  }

  get statusText(): string {
    return this.#response.statusText
  }

  get url(): string {
    return this.#response.url
  }

  /** The length of the body in bytes, by its headers; 0: unknown. */
  get expectedLength(): number {
    const { headers } = this.#response
    // The header declares the length of the compressed body.
    if (headers.has('content-encoding')) return 0
    return Number(/^\d+$/.exec(headers.get('content-length') ?? '')?.[0] ?? 0)
  }

  header(name: string): string | null {
    try {
      return this.#response.headers.get(name)
    } catch {
      // The name is not a valid header name.
      return null
    }
  }

  /** @see https://xhr.spec.whatwg.org/#the-getallresponseheaders()-method */
  allHeaders(): string {
    const upper = ([name]: [string, string]): string => name.toUpperCase()
    const headers = [...this.#response.headers].toSorted((a, b) => (upper(a) < upper(b) ? -1 : 1))
    return headers.map(([name, value]) => `${name}: ${value}\r\n`).join('')
  }

  /** @see https://xhr.spec.whatwg.org/#text-response */
  text(type: XMLHttpRequestResponseType, isWhole: boolean): string {
    const mimeType = this.#mimeType()
    const declared = (start: string): string | undefined =>
      type === '' && isXml(mimeType) ? /^<\?xml[^>]*?\sencoding\s*=\s*["']([\w.:-]+)/.exec(start)?.[1] : undefined
    return this.body.text((start) => this.#charset() ?? declared(start) ?? 'utf-8', isWhole)
  }

  /**
   * Converts the whole body into a type other than text.
   *
   * @see https://xhr.spec.whatwg.org/#the-response-attribute
   */
  make(type: XMLHttpRequestResponseType): unknown {
    if (this.#made?.type !== type) this.#made = { type, value: this.#makeNow(type) }
    return this.#made.value
  }

  #makeNow(type: XMLHttpRequestResponseType): unknown {
    if (type === 'arraybuffer') return this.body.bytes().buffer
    if (type === 'blob') return new Blob([this.body.bytes()], { type: this.#mimeType().text })
    return type === 'json' ? parseJson(this.body.bytes()) : this.#document(type)
  }

  /** @see https://xhr.spec.whatwg.org/#document-response */
  #document(type: XMLHttpRequestResponseType): Document | null {
    const mimeType = this.#mimeType()
    if (this.body.length === 0) return null
    const parser = new DOMParser()
    if (isHtml(mimeType)) {
      if (type === '') return null
      const declared = (start: string): string | undefined =>
        /<meta\s[^>]*?charset\s*=\s*["']?([\w.:-]+)/i.exec(start)?.[1]
      const text = this.body.text((start) => this.#charset() ?? declared(start) ?? 'utf-8', true)
      return parser.parseFromString(text, 'text/html')
    }
    if (!isXml(mimeType)) return null
    const parsed = parser.parseFromString(this.text('', true), 'application/xml')
    return parsed.getElementsByTagNameNS('*', 'parsererror').length > 0 ? null : parsed
  }

  /** @see https://xhr.spec.whatwg.org/#final-mime-type */
  #mimeType(): MimeType {
    return this.#overridden() ?? parseMimeType(this.header('content-type')) ?? unknownType
  }

  /** @see https://xhr.spec.whatwg.org/#final-charset */
  #charset(): string | undefined {
    return this.#overridden()?.charset ?? parseMimeType(this.header('content-type'))?.charset
  }
}

const unknownType: MimeType = { essence: 'text/xml', charset: undefined, text: 'text/xml' }

function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes))
  } catch {
    return null
  }
}
