import { Readable } from 'node:stream'

import { FormData as UndiciFormData, fetch as undiciFetch, request } from 'undici'

import { checkClient, type Client } from './check-client.ts'
import { toFetchClient, toFormData } from './fetch-client.ts'

/** undici's classes are another copy of Node's. */
const FormDataClass = UndiciFormData as unknown as typeof FormData

const requestClient: Client = {
  async send(url, { method = 'GET', form, ...options } = {}) {
    const body = form ? toFormData(form, FormDataClass) : options.body
    const response = await request(url, { ...options, method, body } as Parameters<typeof request>[1])
    const headers = new Headers()
    for (const [name, value] of Object.entries(response.headers)) {
      for (const one of [value].flat()) headers.append(name, String(one))
    }
    return { status: response.statusCode, headers, body: await response.body.bytes() }
  },
  async upload(url, chunks) {
    const { statusCode, body } = await request(url, { method: 'POST', body: Readable.from(chunks) })
    return { status: statusCode, headers: new Headers(), body: await body.bytes() }
  },
  async *stream(url) {
    yield* (await request(url)).body as AsyncIterable<Uint8Array>
  },
  followsRedirects: false,
  canAbort: true,
  decompresses: false,
  canSendFiles: true,
}

checkClient('request of undici', requestClient)
checkClient('fetch of undici', toFetchClient(undiciFetch as unknown as typeof fetch, FormDataClass))
checkClient(
  'the global fetch, beside undici',
  toFetchClient((url, init) => fetch(url, init)),
)
