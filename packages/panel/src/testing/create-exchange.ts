import type { Exchange } from '../handler-code/exchange.ts'

/** Creates an exchange for tests. Default: with a JSON body. */
export function createExchange(given: Partial<Exchange> = {}): Exchange {
  return {
    method: 'GET',
    url: 'http://localhost/api/users',
    name: null,
    status: 200,
    type: 'application/json',
    text: '{"id":1}',
    headers: [],
    pageUrl: 'http://localhost/',
    header: null,
    otherUrls: [],
    ...given,
  }
}
