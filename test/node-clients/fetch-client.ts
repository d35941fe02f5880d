import { ReadableStream as NodeReadableStream } from 'node:stream/web'

import type { Client, Received, Sent } from './check-client.ts'

type Fetch = (url: string, init: RequestInit) => Promise<Response>

/** Adapts any implementation of `fetch` to the client under test. */
export function toFetchClient(fetch: Fetch, FormDataClass: typeof FormData = FormData): Client {
  async function send(url: string, { form, ...init }: Sent = {}): Promise<Received> {
    const response = await fetch(url, form ? { ...init, body: toFormData(form, FormDataClass) } : init)
    const { status, statusText, headers } = response
    return { status, statusText, headers, body: new Uint8Array(await response.arrayBuffer()) }
  }
  return {
    send,
    upload: (url, chunks) => send(url, { method: 'POST', body: toStream(chunks), duplex: 'half' } as unknown as Sent),
    async *stream(url) {
      const { body } = await fetch(url, {})
      // Some implementations return a stream of Node, which is iterable, too.
      if (body) yield* body as unknown as AsyncIterable<Uint8Array>
    },
    followsRedirects: true,
    canAbort: true,
    canSendFiles: true,
  }
}

export function toStream(chunks: AsyncIterable<Uint8Array<ArrayBuffer>>): ReadableStream {
  return NodeReadableStream.from(chunks) as ReadableStream
}

export function toFormData({ field, file }: NonNullable<Sent['form']>, FormDataClass = FormData): FormData {
  const data = new FormDataClass()
  data.append(field, file)
  return data
}
