import { Readable } from 'node:stream'

import got from 'got'

import { checkClient } from './check-client.ts'
import { toFormData } from './fetch-client.ts'

checkClient('got', {
  async send(url, { method = 'GET', headers = {}, body, form, signal } = {}) {
    const response = await got(url, {
      method,
      headers,
      ...(body !== undefined && { body }),
      ...(form && { body: toFormData(form) }),
      ...(signal && { signal }),
      responseType: 'buffer',
      throwHttpErrors: false,
      retry: { limit: 0 },
    })
    const received = new Headers()
    for (const [name, value] of Object.entries(response.headers)) {
      for (const one of [value ?? []].flat()) received.append(name, one)
    }
    return { status: response.statusCode, headers: received, body: response.body }
  },
  async upload(url, chunks) {
    const { statusCode, rawBody } = await got.post(url, { body: Readable.from(chunks) })
    return { status: statusCode, headers: new Headers(), body: rawBody }
  },
  async *stream(url) {
    yield* got.stream(url) as AsyncIterable<Uint8Array>
  },
  followsRedirects: true,
  canAbort: true,
  canSendFiles: true,
})
