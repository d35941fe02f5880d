import { Readable } from 'node:stream'

import nodeFetch, { FormData } from 'node-fetch'

import { checkClient } from './check-client.ts'
import { toFetchClient } from './fetch-client.ts'

/** Its class of headers does not have `getSetCookie`. */
async function fetch(url: string, init: object): Promise<Response> {
  const response = await nodeFetch(url, init)
  const headers = response.headers as unknown as Headers
  headers.getSetCookie = () => response.headers.raw()['set-cookie'] ?? []
  return response as unknown as Response
}

const client = toFetchClient(fetch, FormData)

checkClient('node-fetch', {
  ...client,
  // It accepts streams of Node.
  upload: (url, chunks) => client.send(url, { method: 'POST', body: Readable.from(chunks) as never }),
})
