import { createAbortController, throwIfAborted } from '../../core/abort-controller.ts'
import { isPromise } from '../../core/is-promise.ts'
import { Headers, Request } from '../../core/platform.ts'
import type { FetchInput, NodeRequestInit } from './node-fetch.ts'
import { adoptBody } from './page-bodies.ts'

/** The arguments of `fetch`, as instances of the platform's classes. */
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
 * Converts the arguments of `fetch` into instances of the platform's classes. Test environments replace the globals:
 * the platform would convert a `Request` of node-fetch into the URL "[object Object]", and forms of jsdom into the text
 * "[object FormData]", and it rejects signals of jsdom.
 * Reads the body of a foreign request, so that other code can no longer send that request.
 */
export function adoptArguments(
  input: unknown,
  init: NodeRequestInit | undefined,
): FetchArguments | Promise<FetchArguments> {
  const body = init && adoptBody(init.body)
  if (isPromise(body)) {
    return body.then((adopted) => {
      // Node's form would write to the body of the request that its signal has closed: an unhandled rejection.
      if (init?.signal) throwIfAborted(init.signal)
      return adoptRequest(input, { ...init, body: adopted })
    })
  }
  return adoptRequest(input, body ? { ...init, body } : init)
}

function adoptRequest(input: unknown, init: NodeRequestInit | undefined): FetchArguments | Promise<FetchArguments> {
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

/**
 * Returns whether it is a request of the platform, even from another context of `node:vm`, which test runners create.
 */
function isPlatformRequest(input: object): boolean {
  try {
    Reflect.get(Request.prototype, 'url', input)
    return true
  } catch {
    return false
  }
}

let PlatformSignal: unknown

/** Returns the options with a signal that the platform's `Request` accepts. */
export function adoptSignal(init: NodeRequestInit): NodeRequestInit {
  const { signal } = init
  if (signal == null || isPlatformSignal(signal) || typeof signal.addEventListener !== 'function') return init
  const controller = createAbortController()
  if (signal.aborted) controller.abort(signal.reason)
  else signal.addEventListener('abort', () => controller.abort(signal.reason), { once: true })
  return { ...init, signal: controller.signal }
}

/**
 * Returns whether a signal belongs to the platform. The global class may be jsdom's, and so may the signal of a
 * request, because Node creates it with the global class.
 */
function isPlatformSignal(signal: AbortSignal): boolean {
  PlatformSignal ??= createAbortController().signal.constructor
  return signal instanceof (PlatformSignal as typeof AbortSignal)
}
