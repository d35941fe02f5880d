import { createWithFacts, factsOf, type WithFacts } from '../../core/fetch/fetched-response.ts'
import { discardBody } from '../../core/handlers/finalizers.ts'
import { decompressedBody } from '../fetch/decompress.ts'
import { readableBody } from '../fetch/readable-body.ts'

/** The methods that read a body. Chromium rejects with a `TypeError` when an aborted body fails; `fetch` rejects with the reason. */
const readers: PropertyDescriptorMap = {}
for (const name of ['arrayBuffer', 'blob', 'bytes', 'formData', 'json', 'text'] as const) {
  const native = Object.getOwnPropertyDescriptor(Response.prototype, name)
  // Older browsers have no `bytes()`.
  if (!native) continue
  const read = native.value as (this: Response) => Promise<unknown>
  const methods = {
    async [name](this: Response): Promise<unknown> {
      const signal = this.bodyUsed ? undefined : factsOf(this)?.signal
      try {
        return await read.call(this)
      } catch (error) {
        throw signal?.aborted ? signal.reason : error
      }
    },
  }
  readers[name] = { ...native, value: methods[name] }
}

/** Adds the properties that only the platform's own `fetch` can set. */
export const withFacts: WithFacts = createWithFacts(readers)

/**
 * Makes a mocked response look like a response of `fetch`.
 *
 * @param signal aborts the body
 */
export function toFetchedResponse(
  mocked: Response,
  request: Request,
  redirected: boolean,
  signal?: AbortSignal,
): Response {
  const { status, statusText, headers } = mocked
  let body = request.method === 'HEAD' ? null : readableBody(mocked, decompressedBody)
  if (body && signal) body = body.pipeThrough(new TransformStream(), { signal })
  if (body === null) discardBody(mocked.body)
  const url = urlOf(request)
  return withFacts(new Response(body, { status, statusText, headers }), { url, redirected, type: typeOf(url), signal })
}

/** Marks a response that the platform received, but not through `fetch`. */
export function toPassedResponse(response: Response, url: string): Response {
  return withFacts(response, { url, redirected: false, type: typeOf(url) })
}

/**
 * An opaque redirect: code cannot read its status, headers or body.
 *
 * @see https://fetch.spec.whatwg.org/#concept-filtered-response-opaque-redirect
 */
export function toOpaqueRedirect(request: Request): Response {
  return withFacts(Response.error(), { url: urlOf(request), redirected: false, type: 'opaqueredirect' })
}

/** Marks a fetched response as redirected, because the platform did not follow the mocked redirects before it. */
export function toRedirectedResponse(response: Response): Response {
  return withFacts(response, { url: response.url, redirected: true, type: response.type })
}

function typeOf(url: string): ResponseType {
  return new URL(url).origin === location.origin ? 'basic' : 'cors'
}

function urlOf({ url }: Request): string {
  return url.split('#', 1)[0] ?? url
}
