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

checkClient('node-fetch', toFetchClient(fetch, FormData))
