import { XMLHttpRequestInterceptor } from '@mswjs/interceptors/XMLHttpRequest'

import { handleRequest } from '../core/network/handle-request.ts'
import type { Network } from '../core/network/network.ts'
import { isRedirect } from '../core/network/redirect.ts'
import { removeBypassMark } from '../core/responses/bypass.ts'
import { decompressedBody } from './decompress.ts'
import { followRedirect } from './in-page-fetch.ts'

type XHR = typeof globalThis.XMLHttpRequest

/** Where an XMLHttpRequest keeps its headers as they were set: the interceptor knows the last of a name alone. */
const headersKey = Symbol('headers')

/**
 * Makes an `XMLHttpRequest` that handlers answer in the page itself.
 *
 * @param Native performs what they do not answer
 * @param fetch goes where mocked redirects lead
 * @returns the class, and what ends it: what was taken of it stays in use, and is the platform's from then on
 */
export function createXMLHttpRequest(
  network: Network,
  Native: XHR,
  fetch: typeof globalThis.fetch,
): { XMLHttpRequest: XHR; stop: () => void } {
  const interceptor = new XMLHttpRequestInterceptor()
  const tells = new Map<string, (response: Response) => void>()
  interceptor.on('request', async ({ request: intercepted, requestId, controller, initiator }) => {
    const xhr = initiator as XMLHttpRequest
    const request = withHeaders(intercepted, xhr)
    const timeout = AbortSignal.timeout(xhr.timeout || 2 ** 31 - 1)
    const signal = AbortSignal.any([request.signal, timeout])
    const outcome = await handleRequest(new Request(request.clone(), { signal }), network, requestId)
    if (outcome.type === 'mocked') {
      const response = await follow(outcome.response, request, xhr, fetch)
      controller.respondWith(response)
    } else if (outcome.type === 'network-error') {
      if (intercepted.signal.aborted) controller.errorWith(intercepted.signal.reason)
      else if (timeout.aborted) await endInTime(xhr)
      else controller.respondWith(Response.error())
    } else {
      if (outcome.tell) tells.set(requestId, outcome.tell)
      removeBypassMark(intercepted.headers)
      await controller.passthrough()
    }
  })
  interceptor.on('response', ({ response, responseType, requestId }) => {
    if (responseType === 'original') tells.get(requestId)?.(response)
    tells.delete(requestId)
  })
  const Recording = recordHeaders(Native)
  let XMLHttpRequest = Recording
  keepGlobal(() => {
    globalThis.XMLHttpRequest = Recording
    interceptor.apply()
    XMLHttpRequest = globalThis.XMLHttpRequest
  })
  return { XMLHttpRequest, stop: () => keepGlobal(() => interceptor.dispose()) }
}

function recordHeaders(Native: XHR): XHR {
  class Recording extends Native {
    declare [headersKey]: Headers
    override open(...args: unknown[]): void {
      this[headersKey] = new Headers()
      Reflect.deleteProperty(this, 'responseURL')
      // The platform tells a call with an argument that is undefined from one without.
      Reflect.apply(Native.prototype['open'] as (...given: unknown[]) => void, this, args)
    }
    override setRequestHeader(name: string, value: string): void {
      super.setRequestHeader(name, value)
      this[headersKey].append(name, value)
    }
  }
  return Object.defineProperty(Recording, 'name', { value: Native.name })
}

function withHeaders(request: Request, xhr: XMLHttpRequest): Request {
  const headers = new Headers(request.headers)
  for (const [name, value] of (xhr as { [headersKey]?: Headers })[headersKey] ?? []) headers.set(name, value)
  return new Request(request.clone(), { headers })
}

async function follow(
  mocked: Response,
  request: Request,
  xhr: XMLHttpRequest,
  fetch: typeof globalThis.fetch,
): Promise<Response> {
  if (!isRedirect(mocked) || !mocked.headers.has('location')) return withBody(mocked, decompressedBody(mocked))
  try {
    const response = await fetch(await followRedirect(request, mocked))
    Object.defineProperty(xhr, 'responseURL', { value: response.url, configurable: true })
    return withBody(response, response.body)
  } catch {
    return Response.error()
  }
}

function withBody(response: Response, body: Response['body']): Response {
  if (response.type === 'default' && body === response.body) return response
  const { status, statusText, headers } = response
  return new Response(body, { status, statusText, headers })
}

/**
 * Ends a request whose `timeout` is over; nothing answers it any more.
 *
 * @see https://xhr.spec.whatwg.org/#request-error-steps
 */
function endInTime(xhr: XMLHttpRequest): Promise<never> {
  Object.defineProperty(xhr, 'readyState', { value: xhr.DONE, configurable: true, writable: true })
  xhr.dispatchEvent(new Event('readystatechange'))
  for (const target of [xhr.upload, xhr]) {
    for (const type of ['timeout', 'loadend']) target.dispatchEvent(new ProgressEvent(type))
  }
  return new Promise(() => {})
}

/** The interceptor works on the globals, which stay as they are: the gate alone decides what stands there. */
function keepGlobal(change: () => void): void {
  const { XMLHttpRequest } = globalThis
  change()
  globalThis.XMLHttpRequest = XMLHttpRequest
}
