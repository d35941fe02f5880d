import { Readable } from 'node:stream'

import nodeFetch, { FormData } from 'node-fetch'

import { checkClient } from './check-client.ts'
import { toFetchClient } from './fetch-client.ts'

/** Its headers are of a class that is older than `getSetCookie`. */
async function fetch(url: string, init: object): Promise<Response> {
  const response = await nodeFetch(url, init)
  const headers = response.headers as unknown as Headers
  headers.getSetCookie = () => response.headers.raw()['set-cookie'] ?? []
  return response as unknown as Response
}

const client = toFetchClient(fetch, FormData)

checkClient('node-fetch', {
  ...client,
  // It takes streams of Node.
  upload: (url, chunks) => client.send(url, { method: 'POST', body: Readable.from(chunks) as never }),
})
