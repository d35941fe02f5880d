import { parseUrl } from '../routing/parse-url.ts'
import type { NetworkHandle } from '../source.ts'
import { checkRequest } from './check-request.ts'
import { handleRequest, isIgnorable } from './handle-request.ts'
import type { Network } from './network.ts'

/** Creates what a source gets of a network. */
export function createNetworkHandle(network: Network): NetworkHandle {
  return {
    '~network': network,
    wants(method, url) {
      const parsed = parseUrl(String(url), network.baseUrl)
      // What cannot be read may be meant for a handler.
      return !parsed || !isIgnorable(network, method.toUpperCase(), parsed)
    },
    async handle(request, { requestId } = {}) {
      checkRequest('handle a request', request)
      return handleRequest(request, network, requestId)
    },
    onChange: (listener) => network.onChange(listener),
  }
}
