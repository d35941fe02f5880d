import { decompressedBody } from './decompress.ts'

/** What `fetch` knows of a response, and the response's own constructor cannot be told. */
interface Fetched {
  /** Without a fragment. */
  readonly url: string
  readonly redirected: boolean
  readonly type: ResponseType
  /** Ends the body. */
  readonly signal?: AbortSignal | undefined
}

const facts = new WeakMap<Response, Fetched>()

/** What a mocked response becomes: a `Response` with what the platform's own `fetch` sets. */
class FetchedResponse extends Response {
  override get url(): string {
    return facts.get(this)?.url ?? super.url
  }

  override get redirected(): boolean {
    return facts.get(this)?.redirected ?? super.redirected
  }

  override get type(): ResponseType {
    return facts.get(this)?.type ?? super.type
  }

  override clone(): Response {
    return withFacts(super.clone(), facts.get(this))
  }
}
for (const name of ['arrayBuffer', 'blob', 'bytes', 'formData', 'json', 'text'] as const) {
  const native = Object.getOwnPropertyDescriptor(Response.prototype, name)
  // Older browsers have no `bytes()`.
  if (!native) continue
  const read = native.value as (this: Response) => Promise<unknown>
  const methods = {
    async [name](this: Response): Promise<unknown> {
      const signal = this.bodyUsed ? undefined : facts.get(this)?.signal
      try {
        return await read.call(this)
      } catch (error) {
        // Chromium says of a body that fails only that it fails.
        throw signal?.aborted ? signal.reason : error
      }
    },
  }
  Object.defineProperty(FetchedResponse.prototype, name, { ...native, value: methods[name] })
}
// To those who look, it is the platform's class.
Object.defineProperty(FetchedResponse.prototype, 'constructor', { value: Response })

function withFacts(response: Response, fetched: Fetched | undefined): Response {
  if (!fetched) return response
  Object.setPrototypeOf(response, FetchedResponse.prototype)
  facts.set(response, fetched)
  return response
}

/**
 * A mocked response as `fetch` gives it out.
 *
 * @param signal ends the body, where the caller of `fetch` may abort it
 */
export function toFetchedResponse(
  mocked: Response,
  request: Request,
  redirected: boolean,
  signal?: AbortSignal,
): Response {
  const { status, statusText, headers } = mocked
  let body = request.method === 'HEAD' ? null : decompressedBody(mocked)
  if (body && signal) body = body.pipeThrough(new TransformStream(), { signal })
  if (body === null) void mocked.body?.cancel()
  const url = urlOf(request)
  return withFacts(new Response(body, { status, statusText, headers }), { url, redirected, type: typeOf(url), signal })
}

/** Marks what the platform got without `fetch`. */
export function toPerformedResponse(response: Response, url: string): Response {
  return withFacts(response, { url, redirected: false, type: typeOf(url) })
}

/**
 * A redirect that nobody may look into.
 *
 * @see https://fetch.spec.whatwg.org/#concept-filtered-response-opaque-redirect
 */
export function toOpaqueRedirect(request: Request): Response {
  return withFacts(Response.error(), { url: urlOf(request), redirected: false, type: 'opaqueredirect' })
}

/** Marks what the platform fetched as the end of redirects that it did not follow itself. */
export function toRedirectedResponse(response: Response): Response {
  return withFacts(response, { url: response.url, redirected: true, type: response.type })
}

function typeOf(url: string): ResponseType {
  return new URL(url).origin === location.origin ? 'basic' : 'cors'
}

function urlOf({ url }: Request): string {
  return url.split('#', 1)[0] ?? url
}
