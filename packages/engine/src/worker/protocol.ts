/**
 * The messages between the page and the service worker. Both sides are checked against these types. Both also check
 * what they receive at run time: any script of the origin can post messages.
 *
 * A page sends the message `connect` with a port to the worker. Requests and decisions use this port while both exist.
 * Messages that must survive the end of an idle worker are posted to the worker itself, which starts it again. A
 * restarted worker asks its pages to `reconnect`.
 *
 * The worker stores nothing: the app may delete all storage of its origin. Each page that mocks holds a Web Lock with
 * the page's client id in its name. A restarted worker reads from the held locks which pages to ask, even if a page is
 * too busy to answer.
 */
import type { Route } from '../core/routing/route.ts'

/** The version that both sides must have. A build replaces it. */
export const protocolVersion: string = typeof __UNDERSTUDY_VERSION__ === 'string' ? __UNDERSTUDY_VERSION__ : 'source'
declare const __UNDERSTUDY_VERSION__: string | undefined

/**
 * A parameter in the query of the worker's URL. Such a request checks whether the worker sees this page's requests. The
 * worker answers with the status 204. With the value {@link probeForAsked}, it answers after it has asked the page
 * about all earlier requests.
 */
export const probeParameter = 'understudy-probe'

/** A header of that answer: `'own'`, or `'shared'` if the script of a foreign worker imports ours. */
export const probeHeader = 'understudy-worker'

export const probeForAsked = 'asked'

/** With this value, the worker answers when it has no other pending requests, and no page loads, or after a second. */
export const probeForIdle = 'idle'

/**
 * A parameter with the text of a web worker's script. The worker answers a request for such a script with this text. The
 * fragment of the URL is the script's embedder policy, which a page needs that is isolated from other origins.
 */
export const scriptParameter = 'understudy-script'

/**
 * The path of the request with which a web worker asks its page about a WebSocket. The worker passes it to every page that
 * mocks. See `web-worker/socket-messages.ts`.
 */
export const socketPath = '/__understudy-worker-ws'

/** Returns whether a URL is that of such a request. Requests of the app can contain the path, too. */
export function isSocketQuestion(url: string): boolean {
  // Node has no location.
  const { location } = globalThis as Partial<typeof globalThis>
  return url === `${location?.origin}${socketPath}`
}

/** The fragment of the URL of a synchronous XMLHttpRequest, in browsers that show these to service workers. */
export const synchronousHash = '#understudy:synchronous'

/**
 * The name of the Web Lock that a page holds while it mocks. The browser releases it when the page closes. Chromium
 * does not report the client ids of locks, so the name contains the id.
 *
 * @param scope the scope of the page's worker. A worker of another scope must not wait for the page, which never connects to it
 */
export function mockingLock(clientId: string, scope: string): string {
  return `understudy:mocking:${clientId}:${scope}`
}

/** The name of the Web Lock that a page holds from its first script until mocking is on or has failed. */
export function startingLock(clientId: string): string {
  return `understudy:starting:${clientId}`
}

/** The name of the Web Lock of a page that lets our worker replace the worker with this script, in the same scope. */
export function replacingLock(scriptUrl: string): string {
  return `understudy:replacing:${scriptUrl}`
}

/** The form of route tables. Raise it with any change of tables, of routes, or of the meaning of messages. */
export const tableForm = 1

/** Which of a page's requests the worker forwards to it. */
export interface TableMessage {
  /** A worker of another version may know only another form, and must not guess what this one means. */
  readonly form: typeof tableForm
  /** The routes. Requests that they could match wait for the page's decision. */
  readonly parts: readonly TablePart[]
  /**
   * Other requests from scripts (not assets): `'nothing'`, `'notify'` tells the page without holding the request,
   * `'ask'` lets the page decide about them too.
   */
  readonly others: 'nothing' | 'notify' | 'ask'
  /** Whether notices contain the bodies of POST requests with JSON, which may be GraphQL requests to a wrong URL. */
  readonly wantsJson: boolean
  /** Whether the dev server answers documents and their requests by the handlers module. */
  readonly areServed?: boolean | undefined
}

/** Routes that are added and removed together. */
export interface TablePart {
  /** Unique in the page's life. A part never changes. */
  readonly id: number
  /** Omitted if the worker already has them. */
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
  /** The final URL of a passthrough request, after redirects. */
  readonly url?: string
}

/** Page to worker, by `postMessage`, with the port. */
export interface ConnectMessage {
  readonly type: 'understudy:connect'
  readonly version: string
  /** Identifies the engine: a page may have several, each with its own handlers. */
  readonly engine: string
  readonly table: TableMessage
  /** Whether this worker already controls the page. */
  readonly isControlled: boolean
  /** The page's web workers: the client ids that a previous run of the worker reported, and `blob:` URLs. */
  readonly workers: readonly string[]
}

/** Page to worker, by `postMessage`, with a port for the answer. */
export type SettingMessage =
  /** The route table of the page has changed. */
  | { readonly type: 'understudy:table'; readonly engine: string; readonly table: TableMessage }
  /** The page stops mocking. */
  | { readonly type: 'understudy:disconnect'; readonly engine: string }

/** Page to worker, by `postMessage`. */
export type PageStateMessage =
  /** The page's first script runs and mocking will start. With a port, which tells the page its client id. */
  | { readonly type: 'understudy:starting' }
  /** The start has ended. If no engine has connected until now, none will. */
  | { readonly type: 'understudy:started' }
  /** The page unloads or enters the back/forward cache, so it cannot answer. */
  | { readonly type: 'understudy:gone' }
  /** The page creates a web worker with this `blob:` URL, so that this worker does not see the request for its script. */
  | { readonly type: 'understudy:owns'; readonly url: string }
  /** To a worker that waits: replace the active one, if the pages can hold their requests now. */
  | { readonly type: 'understudy:replace' }
  /** Keeps the worker alive: browsers terminate a worker that gets no events, even if it waits for an answer of the page. */
  | { readonly type: 'understudy:keep-alive' }

/** Worker to page, by the port of a {@link SettingMessage}: the result. */
export interface SettingAnswer {
  /** Whether the worker does not know the page or a part of its table: connect again. */
  readonly isIncomplete: boolean
}

/** Worker to page, by `postMessage`. */
export interface ReconnectMessage {
  readonly type: 'understudy:reconnect'
}

/**
 * Worker to page, by `postMessage`, with a port, only in Firefox: this worker is about to replace the active one. Hold your
 * requests until then, and answer `true`; or answer `false` if the active one has pending requests. Any message on the
 * port means that it does not happen now.
 */
export interface HoldMessage {
  readonly type: 'understudy:hold'
}

/** Page to worker, by the port. */
export type PageMessage =
  | PageDecision
  /** The answer to `hear`. */
  | { readonly type: 'heard'; readonly id: number }

/** The page's decision about a request. */
export type PageDecision =
  | { readonly type: 'mocked'; readonly id: number; readonly response: ResponseData }
  | { readonly type: 'network-error'; readonly id: number }
  /** Send the request to the network. */
  | {
      readonly type: 'passthrough'
      readonly id: number
      /** The request's body, which the worker transferred to the page. */
      readonly body: ArrayBuffer | null
      /** Whether a listener wants a copy of the response: answer with the message `response`. */
      readonly wantsResponse: boolean
      /** Whether no handler matched. Another engine of the page may have one that matches. */
      readonly isUnhandled: boolean
    }

/** Worker to page, by the port. */
export type WorkerMessage =
  | { readonly type: 'connected'; readonly version: string; readonly clientId: string }
  /** This worker has another version, and does not understand the page's route table. */
  | { readonly type: 'refused'; readonly version: string }
  /** This web worker belongs to the page. The page repeats this when it connects again. */
  | { readonly type: 'owns'; readonly clientId: string }
  /** Decide about this request. */
  | {
      readonly type: 'request'
      readonly id: number
      readonly request: RequestData
      /** Whether a handler could match, by the route table. Otherwise, the page decides about all requests. */
      readonly couldMatch: boolean
    }
  /** Confirm that you have received this and all earlier messages. */
  | { readonly type: 'hear'; readonly id: number }
  /** The client aborted the request. */
  | { readonly type: 'abort'; readonly id: number }
  /** Reports a request that the worker did not intercept. */
  | { readonly type: 'notice'; readonly request: RequestData }
  /** A copy of the response to a passthrough request. */
  | { readonly type: 'response'; readonly id: number; readonly response: ResponseData }

/** Returns whether a value is a message: an object with a `type`. */
export function isMessage(value: unknown): value is { type: string } {
  return typeof value === 'object' && value !== null && typeof (value as { type?: unknown }).type === 'string'
}

/**
 * Returns whether a message of a page has the shape of a decision. The worker sends a request to the network only after
 * such a decision.
 */
export function isDecision(value: unknown): value is PageDecision {
  if (!isMessage(value)) return false
  const { type, response, body } = value as { type: string; response?: unknown; body?: unknown }
  if (type === 'passthrough') return body === null || body instanceof ArrayBuffer
  return type === 'network-error' || (type === 'mocked' && typeof response === 'object' && response !== null)
}
