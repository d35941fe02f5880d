import { throwIfAborted } from '../core/abort-controller.ts'
import { checkIntegrity } from '../core/network/check-integrity.ts'
import { handleRequest } from '../core/network/handle-request.ts'
import type { Network } from '../core/network/network.ts'
import { isRedirect, readRedirect } from '../core/network/redirect.ts'
import { removeBypassMark } from '../core/responses/bypass.ts'
import { parseUrl } from '../core/routing/parse-url.ts'
import { toFetchedResponse, toOpaqueRedirect, toRedirectedResponse } from './in-page-response.ts'

type Fetch = typeof globalThis.fetch

/**
 * Makes a `fetch` that handlers answer in the page itself, with redirects as the platform follows them.
 *
 * @param native performs what they do not answer
 */
export function createFetch(network: Network, native: Fetch, isOn: () => boolean): Fetch {
  return async function fetch(input, init) {
    if (!isOn()) return native(input, init)
    // What is no request the platform refuses here, in its own words.
    let request = new Request(typeof input === 'string' ? toAbsolute(input) : input, init)
    const isStreamed = init?.body instanceof ReadableStream
    const signal = input instanceof Request || init?.signal ? request.signal : undefined
    for (let redirects = 0; ; redirects += 1) {
      if (!/^https?:/.test(request.url)) return native(request)
      throwIfAborted(request.signal)
      const outcome = await handleRequest(request.clone(), network)
      if (outcome.type === 'network-error') {
        throwIfAborted(request.signal)
        throw networkError(outcome.error)
      }
      if (outcome.type !== 'mocked') {
        removeBypassMark(request.headers)
        const response = await native(request)
        outcome.tell?.(response.clone())
        return redirects > 0 ? toRedirectedResponse(response) : response
      }
      const { response } = outcome
      if (!isRedirect(response) || (request.redirect === 'follow' && !response.headers.has('location'))) {
        const fetched = toFetchedResponse(response, request, redirects > 0, signal)
        if (request.integrity !== '') await checkIntegrity(fetched.clone(), request.integrity, native)
        return fetched
      }
      void response.body?.cancel()
      if (request.redirect === 'manual') return toOpaqueRedirect(request)
      if (request.redirect === 'error') throw networkError(new Error('unexpected redirect'))
      request = await followRedirect(request, response, redirects, isStreamed)
    }
  }
}

/** What the platform does with a URL; Node's, in pages outside of browsers (jsdom), knows nothing that it could be relative to. */
function toAbsolute(url: string): string {
  return parseUrl(url, document.baseURI)?.href ?? url
}

/**
 * The request that a mocked redirect asks for.
 *
 * @param redirects how many came before
 * @throws as `fetch` does
 */
export async function followRedirect(
  request: Request,
  response: Response,
  redirects = 0,
  isStreamed = false,
): Promise<Request> {
  try {
    if (isStreamed && response.status !== 303) throw new Error('a streamed body cannot be sent again')
    // Firefox has no `Request.body` that tells whether there is one.
    const isBodiless = request.method === 'GET' || request.method === 'HEAD'
    const body = isBodiless ? undefined : await request.arrayBuffer()
    const { url, init } = readRedirect(request, response, body?.byteLength ? body : null, redirects)
    return new Request(url, { ...init, signal: request.signal })
  } catch (error) {
    throwIfAborted(request.signal)
    throw networkError(error)
  }
}

/** How `fetch` fails where there is no response, in the words of the platform. */
function networkError(cause: unknown): TypeError {
  const firefox = 'mozInnerScreenX' in globalThis && 'NetworkError when attempting to fetch resource.'
  const safari = 'GestureEvent' in globalThis && 'Load failed'
  return new TypeError(firefox || safari || 'Failed to fetch', { cause })
}
