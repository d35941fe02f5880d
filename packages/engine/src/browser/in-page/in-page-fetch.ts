import { throwIfAborted } from '../../core/abort-controller.ts'
import { checkIntegrity } from '../../core/fetch/check-integrity.ts'
import { isRedirect, readRedirect } from '../../core/fetch/redirect.ts'
import { discardBody } from '../../core/handlers/finalizers.ts'
import { handleRequest } from '../../core/network/handle-request.ts'
import type { Network } from '../../core/network/network.ts'
import { removeBypassMark } from '../../core/responses/bypass-marks.ts'
import { parseUrl } from '../../core/routing/parse-url.ts'
import { carryOut } from '../../core/source.ts'
import { toFetchedResponse, toOpaqueRedirect, toRedirectedResponse } from './in-page-response.ts'

type Fetch = typeof globalThis.fetch

/**
 * Creates a `fetch` that handlers answer in the page. It follows redirects as the platform does.
 *
 * @param native sends what handlers do not answer
 */
export function createFetch(network: Network, native: Fetch, isOn: () => boolean): Fetch {
  return async function fetch(input, init) {
    if (!isOn()) return native(input, init)
    // The platform throws its own error for arguments that are not a request.
    let request = new Request(typeof input === 'string' ? toAbsolute(input) : input, init)
    const isStreamed = init?.body instanceof ReadableStream
    const signal = input instanceof Request || init?.signal ? request.signal : undefined
    for (let redirects = 0; ; redirects += 1) {
      if (!/^https?:/.test(request.url)) return native(request)
      throwIfAborted(request.signal)
      // The browser adds this header later. Handlers that a service worker asks see it.
      const { headers } = request
      if (!headers.has('accept')) headers.set('accept', '*/*')
      let isMocked = false
      const response = await carryOut<Response | Promise<Response>>(await handleRequest(request.clone(), network), {
        respond(mocked) {
          isMocked = true
          return mocked
        },
        fail(error) {
          throwIfAborted(request.signal)
          throw networkError(error)
        },
        async passthrough({ onResponse }) {
          removeBypassMark(headers)
          const passed = await native(request)
          onResponse?.(passed.clone())
          return passed
        },
      })
      if (!isMocked) return redirects > 0 ? toRedirectedResponse(response) : response
      if (!isRedirect(response) || (request.redirect === 'follow' && !response.headers.has('location'))) {
        const fetched = toFetchedResponse(response, request, redirects > 0, signal)
        if (request.integrity !== '') await checkIntegrity(fetched.clone(), request.integrity, native)
        return fetched
      }
      discardBody(response.body)
      if (request.redirect === 'manual') return toOpaqueRedirect(request)
      if (request.redirect === 'error') throw networkError(new Error('unexpected redirect'))
      request = await followRedirect(request, response, redirects, isStreamed)
    }
  }
}

/** Resolves a URL as the platform does. In jsdom, Node's `Request` has no base URL. */
function toAbsolute(url: string): string {
  return parseUrl(url, document.baseURI)?.href ?? url
}

/**
 * Creates the request that follows a mocked redirect.
 *
 * @param redirects the number of redirects so far
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
    // Firefox has no `Request.body`, which would show whether there is a body.
    const isBodiless = request.method === 'GET' || request.method === 'HEAD'
    const body = isBodiless ? undefined : await request.arrayBuffer()
    const { url, init } = readRedirect(request, response, body?.byteLength ? body : null, redirects)
    return new Request(url, { ...init, signal: request.signal })
  } catch (error) {
    throwIfAborted(request.signal)
    throw networkError(error)
  }
}

/** The error of `fetch` if there is no response, with the platform's message. */
function networkError(cause: unknown): TypeError {
  const firefox = 'mozInnerScreenX' in globalThis && 'NetworkError when attempting to fetch resource.'
  const safari = 'GestureEvent' in globalThis && 'Load failed'
  return new TypeError(firefox || safari || 'Failed to fetch', { cause })
}
