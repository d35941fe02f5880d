/**
 * Creates an `XMLHttpRequest` class that sends forms and files of Node, and receives blobs of Node. The page has these
 * classes for `fetch`. jsdom's class would send the text "[object FormData]".
 *
 * @param page the global object, with jsdom's `XMLHttpRequest`
 */
export function createXMLHttpRequest(page: typeof globalThis): typeof XMLHttpRequest {
  return class extends page.XMLHttpRequest {
    #hasType = false
    #receivesBlob = false
    #blob: Blob | undefined
    /** The number of requests. A body that was read for an earlier one is not sent. */
    #requests = 0

    override open(...args: [method: string, url: string | URL]): void {
      this.#requests++
      this.#hasType = false
      this.#blob = undefined
      super.open(...args)
    }

    override setRequestHeader(name: string, value: string): void {
      super.setRequestHeader(name, value)
      if (name.toLowerCase() === 'content-type') this.#hasType = true
    }

    override send(body?: Document | XMLHttpRequestBodyInit | null): void {
      if (body instanceof Blob || body instanceof FormData) void this.#sendEncoded(new Response(body))
      else if (body instanceof URLSearchParams) {
        if (!this.#hasType) super.setRequestHeader('Content-Type', 'application/x-www-form-urlencoded;charset=UTF-8')
        super.send(String(body))
      } else super.send(body)
    }

    async #sendEncoded(encoded: Response): Promise<void> {
      const number = this.#requests
      const bytes = await encoded.arrayBuffer()
      if (number !== this.#requests) return
      const type = encoded.headers.get('content-type')
      if (type && !this.#hasType) super.setRequestHeader('Content-Type', type)
      super.send(bytes)
    }

    override abort(): void {
      this.#requests++
      super.abort()
    }

    override get responseType(): XMLHttpRequestResponseType {
      return this.#receivesBlob ? 'blob' : super.responseType
    }

    override set responseType(type: XMLHttpRequestResponseType) {
      super.responseType = type === 'blob' ? 'arraybuffer' : type
      this.#receivesBlob = type === 'blob'
    }

    override get response(): unknown {
      const received: unknown = super.response
      if (!this.#receivesBlob || !received) return received
      const type = this.getResponseHeader('content-type') ?? ''
      return (this.#blob ??= new Blob([received as ArrayBuffer], { type }))
    }
  }
}
