import { throwIfAborted } from '../core/abort-controller.ts'
import { print } from '../core/failure.ts'
import { checkIntegrity } from '../core/network/check-integrity.ts'
import { isRedirect } from '../core/network/redirect.ts'
import { Request } from '../core/platform.ts'
import { pageUrl } from '../core/routing/page-url.ts'
import { parseUrl } from '../core/routing/parse-url.ts'
import { endTurn } from './fair-turns.ts'
import { FetchCall } from './fetch-call.ts'
import { toFetchedResponse, toRedirectedResponse } from './fetched-response.ts'
import { adoptArguments } from './foreign-arguments.ts'
import { decide, isIgnorableByAll, isListening } from './listening.ts'
import { isNodeFetch, markAsNodeFetch, type FetchInput, type NodeFetch, type NodeRequestInit } from './node-fetch.ts'
import { takeDecided } from './performing.ts'
import { asSystemError, isEmptyResponse } from './system-error.ts'

/**
 * Brings in what this process requests by `fetch`, some thirty times faster than where sockets are watched. It decides at
 * the call: no dispatcher, proxy or connection is asked for a request that is mocked.
 */
export class FetchSource {
  #isOn = false

  start(): void {
    this.#isOn = true
    // Two servers share one `fetch`, which asks them in one order.
    if (!isReplaced()) replaceFetch()
  }

  stop(): void {
    if (this.#isOn && !isListening()) restoreFetch()
    this.#isOn = false
  }
}

interface Replaced {
  readonly replacement: NodeFetch
  readonly native: PropertyDescriptor
}

/** The functions in the place of `fetch`, the last one first. There is a second where a test stubbed the first. */
let replaced: readonly Replaced[] = []

/** What each function of ours stood in the place of. */
const below = new WeakMap<object, PropertyDescriptor>()

function isReplaced(): boolean {
  return replaced[0] !== undefined && globalThis.fetch === replaced[0].replacement
}

function replaceFetch(): void {
  // Jest has getters in the place of Node's globals, until they are read.
  void Reflect.get(globalThis, 'fetch')
  let native = Object.getOwnPropertyDescriptor(globalThis, 'fetch')
  // A test library put back what it had found: a function of ours, from before close().
  for (let own = native && below.get(native.value as object); own; own = below.get(own.value as object)) native = own
  const value: unknown = native?.value
  if (!native || typeof value !== 'function' || isOfPage(value)) return
  const replacement = createFetch(value as NodeFetch)
  if (isNodeFetch(value)) markAsNodeFetch(replacement)
  Object.defineProperty(globalThis, 'fetch', { ...native, value: replacement })
  below.set(replacement, native)
  replaced = [{ replacement, native }, ...replaced]
}

function restoreFetch(): void {
  // What somebody else put there meanwhile stays.
  for (const { replacement, native } of replaced) {
    if (globalThis.fetch === replacement) Object.defineProperty(globalThis, 'fetch', native)
  }
  replaced = []
}

/** Whether it is the `fetch` of happy-dom: it keeps a page's rules, over `node:http`, which is watched. */
function isOfPage(fetch: unknown): boolean {
  return 'happyDOM' in globalThis && !isNodeFetch(fetch)
}

/** @param native what performs the requests that are not mocked: Node's own `fetch`, or what stood in its place */
function createFetch(native: NodeFetch): NodeFetch {
  const isOfNode = isNodeFetch(native)
  return async function fetch(input, ...[init]) {
    // Code that kept this function while a server listened reaches the platform's own after close().
    if (!isListening()) return native(input, init)
    const adopted = adoptArguments(input, init)
    const call = toCall(adopted instanceof Promise ? await adopted : adopted, isOfNode)
    // What is no request to mock gets the platform's own answer.
    if (!(call instanceof FetchCall)) return performUndecided(native, toAbsolute(input), init, call)
    return run(call, native)
  }
}

/** The call; nothing where it is no request over HTTP; the error where the platform refuses the arguments, too. */
function toCall(
  { input, init }: { input: FetchInput; init: NodeRequestInit | undefined },
  isOfNode: boolean,
): FetchCall | Error | undefined {
  try {
    const text = input instanceof Request ? input.url : String(input)
    const url = parseUrl(text, pageUrl())
    if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:')) return undefined
    return new FetchCall(url, typeof input === 'string' ? url.href : input, init ?? {}, { isOfNode })
  } catch (error) {
    return error as Error
  }
}

/** @param reason why nobody was asked about it */
async function performUndecided(
  native: NodeFetch,
  input: FetchInput,
  init: NodeRequestInit | undefined,
  reason: Error | undefined,
): Promise<Response> {
  // Whatever it requests is seen where sockets are watched.
  const response = await native(input, init)
  if (reason) {
    print.warn(
      'Failed to read the arguments of fetch() as a request, though they were performed as one. Handlers were asked where ' +
        'its connection was made, which is slower. Pass arguments of the standard classes. The error:',
      reason,
    )
  }
  return response
}

/** Node's own fetch knows of no page that a URL could be relative to. */
function toAbsolute(input: FetchInput): FetchInput {
  if (typeof input !== 'string' || parseUrl(input)) return input
  return parseUrl(input, pageUrl())?.href ?? input
}

/** @throws as `fetch` does */
async function run(first: FetchCall, native: NodeFetch): Promise<Response> {
  let call = first
  for (;;) {
    const { response, isMocked } = await answer(call, native)
    const isUnwanted = isRedirect(response) && call.redirect === 'error'
    if (isUnwanted) throw networkError(new Error('unexpected redirect'))
    if (!isRedirect(response) || call.redirect === 'manual' || !response.headers.has('location')) {
      if (isMocked) {
        const fetched = toFetchedResponse(response, call)
        if (call.integrity !== '') await checkIntegrity(fetched.clone(), call.integrity, native)
        return fetched
      }
      return call.redirects > 0 ? toRedirectedResponse(response, call) : response
    }
    void response.body?.cancel()
    try {
      call = call.redirected(response)
    } catch (error) {
      throw networkError(error)
    }
  }
}

async function answer(call: FetchCall, native: NodeFetch): Promise<{ response: Response; isMocked: boolean }> {
  let tell: ((response: Response) => void) | undefined
  if (!isIgnorableByAll(call.method, call.url) && !takeDecided(call.method, call.url)) {
    const { request, isAbortable } = call
    // The caller's next line may abort it.
    await Promise.resolve()
    if (isAbortable) throwIfAborted(request.signal)
    const check = call.check(native)
    if (check) await check
    const outcome = await decide(request, undefined, call.body)
    if (outcome?.type === 'mocked' || outcome?.type === 'network-error') {
      const turn = endTurn()
      if (turn) await turn
      if (isAbortable) throwIfAborted(request.signal)
      if (outcome.type === 'mocked') return { response: outcome.response, isMocked: true }
      throw networkError(failureOf(outcome.error, call.url))
    }
    tell = outcome?.tell
  }
  const response = await call.perform(native)
  tell?.(response.clone())
  return { response, isMocked: false }
}

/** The error that Node's `fetch` gives as the cause. */
function failureOf(error: unknown, url: URL): unknown {
  if (!isEmptyResponse(error)) return asSystemError(error, url)
  const closed = new Error('other side closed', { cause: error })
  return Object.assign(closed, { name: 'SocketError', code: 'UND_ERR_SOCKET' })
}

/** How Node's `fetch` fails where there is no response. */
function networkError(cause: unknown): TypeError {
  return new TypeError('fetch failed', { cause })
}
