import { print } from '../../core/failure.ts'
import { checkIntegrity } from '../../core/fetch/check-integrity.ts'
import { isRedirect } from '../../core/fetch/redirect.ts'
import { discardBody } from '../../core/handlers/finalizers.ts'
import { isPromise } from '../../core/is-promise.ts'
import type { Outcome } from '../../core/network/outcome.ts'
import { Request } from '../../core/platform.ts'
import { pageUrl } from '../../core/routing/page-url.ts'
import { parseUrl } from '../../core/routing/parse-url.ts'
import { carryOut, type Source } from '../../core/source.ts'
import { proceedAsync, type Steps } from '../../core/steps.ts'
import { startCall } from '../around-calls.ts'
import { takeDecided } from '../decided-requests.ts'
import { findGlobal } from '../find-global.ts'
import { decide, isIgnorableByAll, isListening } from '../listening.ts'
import { isTraced } from '../sockets/call-contexts.ts'
import { asSystemError, isEmptyResponse } from '../system-error.ts'
import { endTurn } from './fair-turns.ts'
import { FetchCall } from './fetch-call.ts'
import { shareResponse, toFetchedResponse, toRedirectedResponse } from './fetched-response.ts'
import { adoptArguments } from './foreign-arguments.ts'
import { isNodeFetch, markAsNodeFetch, type FetchInput, type NodeFetch, type NodeRequestInit } from './node-fetch.ts'

/**
 * Brings in the requests that this process makes with `fetch`, about thirty times faster than the interception of
 * sockets. It handles the call itself, so a mocked request never reaches a dispatcher, a proxy or a connection.
 */
export class FetchSource implements Source {
  readonly name = 'fetch'
  #isOn = false

  start(): void {
    this.#isOn = true
    // All servers share one `fetch`, which asks them in a fixed order.
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

/** The replacements of `fetch`, the last one first. There is a second one if a test stubbed the first. */
let replaced: readonly Replaced[] = []

/** The property that each of our functions replaced. */
const below = new WeakMap<object, PropertyDescriptor>()

function isReplaced(): boolean {
  return replaced[0] !== undefined && globalThis.fetch === replaced[0].replacement
}

function replaceFetch(): void {
  // Jest defines Node's globals as getters, which are replaced when they are read.
  void Reflect.get(globalThis, 'fetch')
  let native = findGlobal('fetch')
  // A test library may have restored one of our functions from before close().
  for (let own = native && below.get(native.value as object); own; own = below.get(own.value as object)) native = own
  const value: unknown = native?.value
  if (!native || typeof value !== 'function' || isOfPage(value)) return
  const replacement = createFetch(value as NodeFetch)
  // The sockets of a function that cannot be replaced are intercepted.
  if (!Reflect.defineProperty(globalThis, 'fetch', { ...native, configurable: true, value: replacement })) return
  if (isNodeFetch(value)) markAsNodeFetch(replacement)
  below.set(replacement, native)
  replaced = [{ replacement, native }, ...replaced]
}

function restoreFetch(): void {
  // A replacement that other code has set since stays.
  for (const { replacement, native } of replaced) {
    if (globalThis.fetch === replacement) Object.defineProperty(globalThis, 'fetch', native)
  }
  replaced = []
}

/**
 * Returns whether a function is the `fetch` of happy-dom. It applies the rules of a page, and uses `node:http`, which
 * is intercepted.
 */
function isOfPage(fetch: unknown): boolean {
  return 'happyDOM' in globalThis && !isNodeFetch(fetch)
}

/** @param native sends the unmocked requests: Node's own `fetch`, or the function that replaced it before */
function createFetch(native: NodeFetch): NodeFetch {
  const isOfNode = isNodeFetch(native)
  const fetch: NodeFetch = (input, ...[init]) => startCall(() => proceedAsync(run(native, isOfNode, input, init)))
  return fetch
}

/**
 * Runs a call of `fetch`. This is one function, and the decision is a part of it, because each promise that waits for another
 * one costs time and memory for every request.
 *
 * @throws as `fetch` does
 */
function* run(
  native: NodeFetch,
  isOfNode: boolean,
  input: FetchInput,
  init: NodeRequestInit | undefined,
): Steps<Response> {
  // Code that stored this function while a server listened gets the platform's after close().
  if (!isListening()) return yield native(input, init)
  const read = readCall(input, init, isOfNode)
  const first: ReadCall = isPromise(read) ? yield read : read
  // The platform handles other schemes than HTTP.
  if (!(first instanceof FetchCall)) return yield sendUndecided(native, toAbsolute(input), init, first)
  for (let call = first; ;) {
    let answer: Answer | Promise<Answer> | undefined = sendAtOnce(call, native)
    if (!answer) {
      // The caller may abort the request right after the call.
      yield Promise.resolve()
      call.throwIfAborted()
      const check = call.check(native)
      if (check) yield check
      const steps = decide(call.bare ?? call.request, undefined, call.body)
      answer = steps ? carry(yield* steps, call, native) : send(call, native)
    }
    const { response, isMocked }: Answer = isPromise(answer) ? yield answer : answer
    const isUnwanted = isRedirect(response) && call.redirect === 'error'
    if (isUnwanted) throw networkError(new Error('unexpected redirect'))
    if (!isRedirect(response) || call.redirect === 'manual' || !response.headers.has('location')) {
      if (!isMocked) return call.redirects > 0 ? toRedirectedResponse(response, call) : response
      const fetched = toFetchedResponse(response, call)
      if (call.integrity !== '') yield checkIntegrity(fetched.clone(), call.integrity, native)
      return fetched
    }
    discardBody(response.body)
    try {
      call = yield call.redirected(response)
    } catch (error) {
      throw networkError(error)
    }
  }
}

const noOptions: NodeRequestInit = {}

/** The call; `undefined` if it is not a request over HTTP; the error if the platform refuses the arguments. */
type ReadCall = FetchCall | Error | undefined

function readCall(
  input: FetchInput,
  init: NodeRequestInit | undefined,
  isOfNode: boolean,
): ReadCall | Promise<ReadCall> {
  const adopted = adoptArguments(input, init)
  return isPromise(adopted) ? adopted.then((each) => toCall(each, isOfNode)) : toCall(adopted, isOfNode)
}

function toCall(
  { input, init }: { input: FetchInput; init: NodeRequestInit | undefined },
  isOfNode: boolean,
): ReadCall {
  try {
    const text = input instanceof Request ? input.url : String(input)
    const url = parseUrl(text, pageUrl())
    if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:')) return undefined
    return new FetchCall(url, typeof input === 'string' ? url.href : input, init ?? noOptions, { isOfNode })
  } catch (error) {
    return error as Error
  }
}

/** @param reason the reason why no handler was asked */
async function sendUndecided(
  native: NodeFetch,
  input: FetchInput,
  init: NodeRequestInit | undefined,
  reason: Error | undefined,
): Promise<Response> {
  // The interception of sockets handles this request.
  const response = await native(input, init)
  if (reason) {
    print.warn(
      'US0402',
      'Failed to read the arguments of fetch() as a request: see the error. Handlers are matched later and more slowly, when ' +
        'the connection opens. Pass instances of the standard classes.',
      reason,
    )
  }
  return response
}

/** Resolve relative URLs against the page, because Node's own `fetch` has no base URL. */
function toAbsolute(input: FetchInput): FetchInput {
  if (typeof input !== 'string' || parseUrl(input)) return input
  return parseUrl(input, pageUrl())?.href ?? input
}

interface Answer {
  readonly response: Response
  readonly isMocked: boolean
}

/** Sends a call that no handler is asked about here. Returns `undefined` for other calls. */
function sendAtOnce(call: FetchCall, native: NodeFetch): Promise<Answer> | undefined {
  if (takeDecided(call.method, call.url) || isIgnorableByAll(call.method, call.url)) return send(call, native)
  if (!isTraced() || !call.isWatchable) return undefined
  return call.sendUndecided(native).then((response) => ({ response, isMocked: false }))
}

function carry(outcome: Outcome, call: FetchCall, native: NodeFetch): Answer | Promise<Answer> {
  return carryOut<Answer | Promise<Answer>>(outcome, {
    respond: (response) => inTurn(call, () => ({ response, isMocked: true })),
    fail: (error) =>
      inTurn(call, () => {
        throw networkError(failureOf(error, new URL(call.href)))
      }),
    passthrough: ({ onResponse }) => send(call, native, onResponse),
  })
}

/**
 * Finishes a call, after a pause for other work of the process if one is due. The caller may abort the request during
 * the pause.
 */
function inTurn<Result>(call: FetchCall, finish: () => Result): Result | Promise<Result> {
  const proceed = (): Result => {
    call.throwIfAborted()
    return finish()
  }
  const turn = endTurn()
  return turn ? turn.then(proceed) : proceed()
}

async function send(call: FetchCall, native: NodeFetch, onResponse?: (response: Response) => void): Promise<Answer> {
  const response = await call.send(native)
  return { response: onResponse ? shareResponse(response, call, onResponse) : response, isMocked: false }
}

/** Returns the error that is the `cause` in Node's `fetch`. */
function failureOf(error: unknown, url: URL): unknown {
  if (!isEmptyResponse(error)) return asSystemError(error, url)
  const closed = new Error('other side closed', { cause: error })
  return Object.assign(closed, { name: 'SocketError', code: 'UND_ERR_SOCKET' })
}

/** Creates the error of Node's `fetch` if there is no response. */
function networkError(cause: unknown): TypeError {
  return new TypeError('fetch failed', { cause })
}
