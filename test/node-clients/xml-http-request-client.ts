import type { Client } from './check-client.ts'
import { toFormData } from './fetch-client.ts'

/** The client of a page, in the page of the test's environment. */
export const xmlHttpRequestClient: Client = {
  send(url, { method = 'GET', headers = {}, body, form, signal } = {}) {
    return new Promise((resolve, reject) => {
      const request = new XMLHttpRequest()
      request.open(method, url)
      request.responseType = 'arraybuffer'
      for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value)
      request.addEventListener('load', () => {
        const received = new Headers()
        for (const line of request.getAllResponseHeaders().split('\r\n').filter(Boolean)) {
          const colon = line.indexOf(':')
          received.append(line.slice(0, colon), line.slice(colon + 1).trim())
        }
        const { status, statusText, response } = request
        resolve({ status, statusText, headers: received, body: new Uint8Array(response as ArrayBuffer) })
      })
      request.addEventListener('error', () => reject(new Error('error')))
      request.addEventListener('abort', () => reject(new Error('abort')))
      signal?.addEventListener('abort', () => request.abort())
      request.send(form ? toFormData(form) : (body ?? null))
    })
  },
  followsRedirects: true,
  canAbort: true,
  canSendFiles: true,
  hidesSetCookie: true,
  origin: () => location.origin,
}
