import type { Network } from '../core/network/network.ts'
import { Headers, Request, Response } from '../core/platform.ts'
import { removeBypassMark } from '../core/responses/bypass-marks.ts'
import { carryOut, type NetworkHandle, type Source } from '../core/source.ts'
import type { NativeXMLHttpRequest } from './check-platform.ts'
import { decide } from './decide.ts'
import { isSendingDecided } from './decided-requests.ts'
import { replaceProperties } from './replace-properties.ts'
import { hideFormType, type Kept } from './request-body.ts'
import { readNativeBody } from './response-body.ts'

type Body = XMLHttpRequestBodyInit | null
const names = ['open', 'setRequestHeader', 'send', 'abort'] as const
type Methods = Pick<NativeXMLHttpRequest, (typeof names)[number]>

/**
 * Brings in the requests of React Native's `XMLHttpRequest`, and of a `fetch` that code kept, which is built on it. It
 * replaces methods of the prototype, so that a class that code kept is intercepted too.
 */
export class XMLHttpRequestSource implements Source {
  readonly name = 'XMLHttpRequest'
  #replacements: Methods | undefined
  #restore: (() => void) | undefined

  start({ '~network': network }: NetworkHandle): void {
    const prototype = XMLHttpRequest.prototype as NativeXMLHttpRequest
    if (this.#replacements && prototype.open === this.#replacements.open) return
    this.stop()
    const natives = Object.fromEntries(names.map((name) => [name, Reflect.get(prototype, name)])) as unknown as Methods
    const replacements = createMethods(network, natives, () => this.#replacements === replacements)
    this.#replacements = replacements
    this.#restore = replaceProperties(prototype, { ...replacements })
  }

  stop(): void {
    this.#restore?.()
    this.#restore = this.#replacements = undefined
  }
}

/** The calls before `send()`, and the decision after it. */
interface Call {
  readonly method: string
  readonly url: string
  /** They are set when the request is sent: they may have the mark of `bypass`. */
  readonly headers: Headers
  /** Aborts the decision in progress. */
  pending?: AbortController | undefined
}

/** The native module counts upwards from 1. */
let lastId = 0

/**
 * Creates methods for requests that handlers answer. They call the methods that the native module calls, so that React
 * Native's own class converts bodies and dispatches events.
 */
function createMethods(network: Network, natives: Methods, isOn: () => boolean): Methods {
  const calls = new WeakMap<NativeXMLHttpRequest, Call>()

  function sendNatively(xhr: NativeXMLHttpRequest, headers: Headers, body: Body): void {
    calls.delete(xhr)
    removeBypassMark(headers)
    headers.forEach((value, name) => natives.setRequestHeader.call(xhr, name, value))
    natives.send.call(xhr, body)
  }

  function start(xhr: NativeXMLHttpRequest, call: Call, body: Body): void {
    const pending = (call.pending = new AbortController())
    // `abort()` dispatches events only for a request that was sent.
    xhr._sent = true
    lastId -= 1
    const id = lastId
    const isBodiless = call.method === 'GET' || call.method === 'HEAD'
    const request = new Request(call.url, {
      method: call.method,
      headers: call.headers,
      credentials: xhr.withCredentials ? 'include' : 'same-origin',
      body: isBodiless ? null : body,
      signal: pending.signal,
    })
    const isCurrent = (): boolean => calls.get(xhr)?.pending === pending
    const complete = (error: string, isTimeOut = false): void => {
      calls.delete(xhr)
      xhr.__didCompleteResponse(id, error, isTimeOut)
    }
    const fail = (error: unknown): void => {
      if (!isCurrent()) return
      xhr.__didCreateRequest(id)
      complete(error instanceof Error ? error.message : 'Network request failed')
    }
    const expire = (): void => {
      if (!isCurrent()) return
      xhr.__didCreateRequest(id)
      complete('The request timed out.', true)
      pending.abort()
    }
    async function respond(mocked: Response, last: Request): Promise<void> {
      const data = last.method === 'HEAD' ? '' : await readNativeBody(mocked.clone(), xhr.responseType, last)
      if (!isCurrent()) return
      xhr.__didCreateRequest(id)
      const headers: Record<string, string> = {}
      mocked.headers.forEach((value, name) => (headers[name] = value))
      xhr.__didReceiveResponse(id, mocked.status, headers, last.url)
      // A listener may have aborted the request, or opened it again.
      if (isCurrent() && data !== '') xhr.__didReceiveData(id, data)
      if (isCurrent()) complete('')
    }
    const timer = xhr.timeout > 0 ? setTimeout(expire, xhr.timeout) : undefined
    void decide(request, network)
      .then(({ request: last, outcome }) => {
        if (!isCurrent()) return undefined
        return carryOut<void | Promise<void>>(outcome, {
          respond: (mocked) => respond(mocked, last),
          fail,
          passthrough({ onResponse }) {
            xhr._sent = false
            if (onResponse) xhr.addEventListener('load', () => onResponse(toResponse(xhr)))
            hideFormType(last)
            if (last !== request) Object.assign(xhr, { _method: last.method, _url: last.url })
            const given = last === request ? body : ((last as Kept)._bodyInit as Body | undefined)
            sendNatively(xhr, last === request ? call.headers : last.headers, given ?? null)
          },
        })
      })
      .catch(fail)
      .finally(() => clearTimeout(timer))
  }

  return {
    open(this: NativeXMLHttpRequest, method: string, url: string | URL, isAsync: boolean = true) {
      natives.open.call(this, method, url, isAsync)
      if (!isOn() || isSendingDecided() || !/^https?:/i.test(String(url))) return
      calls.set(this, { method: method.toUpperCase(), url: String(url), headers: new Headers() })
    },
    setRequestHeader(this: NativeXMLHttpRequest, name: string, value: string) {
      const call = calls.get(this)
      if (call && this.readyState === 1) call.headers.append(name, value)
      else natives.setRequestHeader.call(this, name, value)
    },
    send(this: NativeXMLHttpRequest, body: Body = null) {
      const call = calls.get(this)
      if (call && !call.pending && isOn()) start(this, call, body)
      else if (call && !call.pending) sendNatively(this, call.headers, body)
      else natives.send.call(this, body)
    },
    abort(this: NativeXMLHttpRequest) {
      const pending = calls.get(this)?.pending
      calls.delete(this)
      pending?.abort()
      natives.abort.call(this)
    },
  }
}

/** The response of the network, for the event `response:bypass`. */
function toResponse(xhr: NativeXMLHttpRequest): Response {
  const body: unknown = xhr.responseType === 'json' ? JSON.stringify(xhr.response) : xhr.response
  const headers = new Headers()
  for (const line of xhr.getAllResponseHeaders()?.split('\r\n') ?? []) {
    const [name = '', ...rest] = line.split(':')
    if (name) headers.append(name, rest.join(':').trim())
  }
  return new Response(body as BodyInit, { status: xhr.status, headers })
}
