/**
 * What the page and the service worker say to each other. Both sides are checked against these types,
 * and each checks what it receives at run time too: any script of the origin may post messages.
 *
 * A page says `connect` to the worker and hands over one port, which carries requests and decisions for as long
 * as both live. What must not get lost when the browser ends the idle worker is posted to the worker itself, which
 * starts it again. A worker that was ended asks its pages to `reconnect`.
 *
 * The worker stores nothing: the app may delete all storage of its origin. Each page that mocks holds a Web Lock that
 * has the page's client id in its name. A worker that was ended reads from the held locks which pages to ask, also
 * where a page is too busy to answer.
 */
import type { Route } from '../core/routing/route.ts'

/** The version that both sides must have; a build replaces it. */
export const protocolVersion: string = typeof __UNDERSTUDY_VERSION__ === 'string' ? __UNDERSTUDY_VERSION__ : 'source'
declare const __UNDERSTUDY_VERSION__: string | undefined

/**
 * In the query of the worker's own URL: asks whether the worker sees this page's requests. Answered with 204. With the
 * value {@link probeForAsked}, it is answered when the page has been told of the requests that it made before.
 */
export const probeParameter = 'understudy-probe'

/** In that answer: `'own'`, or `'shared'` where another worker's script has taken ours in. */
export const probeHeader = 'understudy-worker'

export const probeForAsked = 'asked'

/** The fragment of the URL of a synchronous XMLHttpRequest, where the browser shows those to service workers. */
export const synchronousHash = '#understudy:synchronous'

/**
 * The name of the Web Lock that a page holds while it mocks. The browser releases it when the page goes.
 *
 * Chromium does not report client ids with locks, so the name has it.
 */
export function mockingLock(clientId: string): string {
  return `understudy:mocking:${clientId}`
}

/** The name of the Web Lock that a page holds from its first script until mocking is on, or is not going to be. */
export function startingLock(clientId: string): string {
  return `understudy:starting:${clientId}`
}

/** What of a page's traffic the worker brings to it. */
export interface TableMessage {
  /** Requests that a handler could match wait for the page's decision. */
  readonly parts: readonly TablePart[]
  /**
   * Other requests of scripts (not assets): `'nothing'`, `'notify'` tells the page without holding the request,
   * `'ask'` lets the page decide about them too.
   */
  readonly others: 'nothing' | 'notify' | 'ask'
  /** Whether a notice has the body of a POST of JSON: it may be one of GraphQL, sent to a wrong URL. */
  readonly wantsJson: boolean
}

/** Routes that come and go together. */
export interface TablePart {
  /** Unique in the page's life. A part never changes. */
  readonly id: number
  /** Left out where the worker was told them before. */
  readonly routes?: readonly Route[]
}

/** A request, as plain data. */
export interface RequestData {
  readonly url: string
  readonly method: string
  readonly headers: readonly (readonly [string, string])[]
  readonly mode: RequestMode
  readonly credentials: RequestCredentials
  readonly cache: RequestCache
  readonly redirect: RequestRedirect
  readonly referrer: string
  readonly referrerPolicy: ReferrerPolicy
  readonly integrity: string
  readonly keepalive: boolean
  readonly destination: RequestDestination
  readonly body: ArrayBuffer | null
}

/** A response, as plain data; the body is transferred. */
export interface ResponseData {
  readonly status: number
  readonly statusText: string
  readonly headers: readonly (readonly [string, string])[]
  readonly body: ReadableStream<Uint8Array> | ArrayBuffer | null
  /** Of a performed request: where redirects led. */
  readonly url?: string
}

/** Page to worker, by `postMessage`, with the port. */
export interface ConnectMessage {
  readonly type: 'understudy:connect'
  readonly version: string
  /** Identifies the engine: a page may have several, each with its own handlers. */
  readonly engine: string
  readonly table: TableMessage
  /** Whether the page is controlled by this worker already. */
  readonly isControlled: boolean
  /** The client ids of the page's web workers, as an earlier life of the worker told them. */
  readonly workers: readonly string[]
}

/** Page to worker, by `postMessage`, with a port to say that it is done. */
export type SettingMessage =
  /** What the page could match has changed. */
  | { readonly type: 'understudy:table'; readonly engine: string; readonly table: TableMessage }
  /** The page wants no more mocking. */
  | { readonly type: 'understudy:disconnect'; readonly engine: string }

/** Page to worker, by `postMessage`. */
export type PageStateMessage =
  /** The page's first script runs and mocking will start. With a port, which tells the page its client id. */
  | { readonly type: 'understudy:starting' }
  /** The start has ended. Where no engine has connected until now, none will. */
  | { readonly type: 'understudy:started' }
  /** The page is being unloaded or enters the back/forward cache: nothing there can answer. */
  | { readonly type: 'understudy:gone' }
  /** Browsers end a worker that gets no events, even where it waits for an answer of the page. */
  | { readonly type: 'understudy:keep-alive' }

/** Worker to page, by the port of a {@link SettingMessage}: what became of it. */
export interface SettingAnswer {
  /** Whether the worker does not have what it was told of before (the page, or a part of its table): say hello again. */
  readonly isIncomplete: boolean
}

/** Worker to page, by `postMessage`. */
export interface ReconnectMessage {
  readonly type: 'understudy:reconnect'
}

/** Page to worker, by the port. */
export type PageMessage =
  | PageDecision
  /** The answer to `hear`. */
  | { readonly type: 'heard'; readonly id: number }

/** What is to become of a request. */
export type PageDecision =
  | { readonly type: 'mocked'; readonly id: number; readonly response: ResponseData }
  | { readonly type: 'network-error'; readonly id: number }
  /** Perform the request, whose body comes back with this; `tell` asks for a copy of what came back. */
  | {
      readonly type: 'perform'
      readonly id: number
      readonly body: ArrayBuffer | null
      readonly tell: boolean
      /** Whether no handler matched: another engine of the page may have one that does. */
      readonly isUnhandled: boolean
    }

/** Worker to page, by the port. */
export type WorkerMessage =
  | { readonly type: 'connected'; readonly version: string; readonly clientId: string }
  /** This web worker is the page's. The page says so when it connects again. */
  | { readonly type: 'owns'; readonly clientId: string }
  /** Decide about this request. */
  | { readonly type: 'request'; readonly id: number; readonly request: RequestData }
  /** Say that you have heard this, and all before it. */
  | { readonly type: 'hear'; readonly id: number }
  /** Whoever made the request has given it up. */
  | { readonly type: 'abort'; readonly id: number }
  /** This request was not touched. */
  | { readonly type: 'notice'; readonly request: RequestData }
  /** This came back for a performed request. */
  | { readonly type: 'performed'; readonly id: number; readonly response: ResponseData }

/** Whether a value is a message: an object with a `type`. */
export function isMessage(value: unknown): value is { type: string } {
  return typeof value === 'object' && value !== null && typeof (value as { type?: unknown }).type === 'string'
}

/** Whether a message of a page has the shape of a decision. A request is performed only where the page says so. */
export function isDecision(value: unknown): value is PageDecision {
  if (!isMessage(value)) return false
  const { type, response, body } = value as { type: string; response?: unknown; body?: unknown }
  if (type === 'perform') return body === null || body instanceof ArrayBuffer
  return type === 'network-error' || (type === 'mocked' && typeof response === 'object' && response !== null)
}
