import { parseUrl } from '../routing/parse-url.ts'
import type { NetworkHandle } from '../source.ts'
import { checkRequest } from './check-request.ts'
import { handleRequest, isIgnorable } from './handle-request.ts'
import type { Network } from './network.ts'

/** Creates the interface of a network for a source. */
export function createNetworkHandle(network: Network): NetworkHandle {
  return {
    '~network': network,
    wants(method, url) {
      const parsed = parseUrl(String(url), network.baseUrl)
      // A handler may match a URL that cannot be parsed here.
      return !parsed || !isIgnorable(network, method.toUpperCase(), parsed)
    },
    async handle(request, { requestId } = {}) {
      checkRequest('handle a request', request)
      return handleRequest(request, network, requestId)
    },
    onChange: (listener) => network.onChange(listener),
  }
}
