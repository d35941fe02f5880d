import { createAbortController } from '../../core/abort-controller.ts'
import { Headers, Request } from '../../core/platform.ts'
import type { FetchInput, NodeRequestInit } from './node-fetch.ts'

/** What `fetch` takes, in the platform's own classes. */
export interface FetchArguments {
  readonly input: FetchInput
  readonly init: NodeRequestInit | undefined
}

/** A `Request` of a class that is not the platform's: a polyfill's, jsdom's, happy-dom's. */
interface ForeignRequest extends Omit<NodeRequestInit, 'headers' | 'body'> {
  readonly url: string
  readonly method: string
  readonly headers: Iterable<[string, string]>
  readonly body?: unknown
  arrayBuffer(): Promise<ArrayBuffer>
}

/**
 * The arguments of `fetch` in the platform's own classes. Test environments replace the globals: a `Request` of node-fetch
 * is a URL of "[object Object]" to the platform, and it refuses a signal of jsdom.
 *
 * A body that a foreign request carries is read: the request cannot be sent by others any more.
 */
export function adoptArguments(
  input: unknown,
  init: NodeRequestInit | undefined,
): FetchArguments | Promise<FetchArguments> {
  const own = init && adoptSignal(init)
  if (!isForeignRequest(input)) return { input: input as FetchInput, init: own }
  const { url, method, redirect, integrity, signal, dispatcher } = input
  const given: NodeRequestInit = {
    method,
    headers: new Headers([...input.headers]),
    ...(redirect && { redirect }),
    ...(integrity && { integrity }),
    ...(signal && { signal }),
    ...(dispatcher !== undefined && { dispatcher }),
  }
  const merge = (body?: ArrayBuffer): FetchArguments => ({
    input: url,
    init: { ...adoptSignal(given), ...(body && body.byteLength > 0 && { body }), ...own },
  })
  const isBodiless = method === 'GET' || method === 'HEAD' || input.body === null || init?.body != null
  return isBodiless ? merge() : input.arrayBuffer().then(merge)
}

function isForeignRequest(input: unknown): input is ForeignRequest {
  if (typeof input !== 'object' || input === null || input instanceof Request) return false
  const { url, method, headers, arrayBuffer } = input as Partial<ForeignRequest>
  return (
    typeof url === 'string' &&
    typeof method === 'string' &&
    typeof headers?.[Symbol.iterator] === 'function' &&
    typeof arrayBuffer === 'function' &&
    !isPlatformRequest(input)
  )
}

/** Also one of the platform in another context of `node:vm`, as test runners make them. */
function isPlatformRequest(input: object): boolean {
  try {
    Reflect.get(Request.prototype, 'url', input)
    return true
  } catch {
    return false
  }
}

let PlatformSignal: unknown

/** The same options with a signal that the platform's `Request` takes. */
export function adoptSignal(init: NodeRequestInit): NodeRequestInit {
  const { signal } = init
  if (signal == null || isPlatformSignal(signal) || typeof signal.addEventListener !== 'function') return init
  const controller = createAbortController()
  if (signal.aborted) controller.abort(signal.reason)
  else signal.addEventListener('abort', () => controller.abort(signal.reason), { once: true })
  return { ...init, signal: controller.signal }
}

/** The global class may be jsdom's, and so may the class of a request's own signal: Node makes that with the global one. */
function isPlatformSignal(signal: AbortSignal): boolean {
  PlatformSignal ??= createAbortController().signal.constructor
  return signal instanceof (PlatformSignal as typeof AbortSignal)
}
