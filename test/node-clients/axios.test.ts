import { Readable } from 'node:stream'

import axios from 'axios'

import { checkClient, type Client } from './check-client.ts'
import { toFormData, toStream } from './fetch-client.ts'

function toAxiosClient(adapter: 'http' | 'fetch'): Client {
  return {
    async send(url, { method = 'GET', headers = {}, body, form, signal } = {}) {
      const response = await axios.request<ArrayBuffer>({
        url,
        method,
        headers,
        data: form ? toFormData(form) : body,
        ...(signal && { signal }),
        adapter,
        responseType: 'arraybuffer',
        validateStatus: () => true,
      })
      const received = new Headers()
      for (const [name, value] of Object.entries(response.headers)) {
        for (const one of [value].flat()) received.append(name, String(one))
      }
      const { status, statusText, data } = response
      return { status, statusText, headers: received, body: new Uint8Array(data) }
    },
    async upload(url, chunks) {
      const data = adapter === 'http' ? Readable.from(chunks) : toStream(chunks)
      const response = await axios.post<ArrayBuffer>(url, data, { adapter, responseType: 'arraybuffer' })
      return { status: response.status, headers: new Headers(), body: new Uint8Array(response.data) }
    },
    async *stream(url) {
      const { data } = await axios.get<AsyncIterable<Uint8Array>>(url, { adapter, responseType: 'stream' })
      yield* data
    },
    followsRedirects: true,
    canAbort: true,
    // Its fetch adapter sends the wrong Content-Type.
    canSendFiles: adapter === 'http',
    // Its fetch adapter joins them.
    hidesSetCookie: adapter === 'fetch',
  }
}

checkClient('axios', toAxiosClient('http'))
checkClient('axios, by fetch', toAxiosClient('fetch'))
