import { captureCallSite, formatCallSite, printLater } from '../core/call-site.ts'
import { describe } from '../core/describe.ts'
import { failure, print } from '../core/failure.ts'
import { checkOptions } from '../core/handlers/check-handlers.ts'
import type { ParamsOf, PathParams } from '../core/routing/path-params.ts'
import { type Path, searchOf } from '../core/routing/path-pattern.ts'
import type { WebSocketConnectionInfo } from './connection-info.ts'
import type { AnyExtension, ApiOf, MessageOf } from './extension.ts'
import { LinkClients } from './link-clients.ts'
import type { WebSocketData } from './message-data.ts'
import type { WebSocketClient } from './web-socket-client.ts'
import { WebSocketHandler } from './web-socket-handler.ts'
import type { WebSocketServer } from './web-socket-server.ts'
import { parseWebSocketUrl } from './web-socket-url.ts'

/** The argument of a listener of connections. */
export interface WebSocketHandlerConnection<Incoming = WebSocketData, Outgoing = Incoming, Params = PathParams> {
  readonly type: 'connection'
  /** The app's end. */
  readonly client: WebSocketClient<Incoming, Outgoing>
  /** The real server. There is no connection to it until `server.connect()`. */
  readonly server: WebSocketServer<Outgoing, Incoming>
  /** The parameters of the link's URL. */
  readonly params: Params
  readonly info: WebSocketConnectionInfo
}

/** A listener of connections, which acts as the server. */
export type WebSocketEventListener<
  _Type extends 'connection' = 'connection',
  Incoming = WebSocketData,
  Outgoing = Incoming,
  Params = PathParams,
  Api = unknown,
> = (connection: WebSocketHandlerConnection<Incoming, Outgoing, Params> & Api) => unknown

/** The WebSocket connections to a URL. */
export interface WebSocketLink<Incoming = WebSocketData, Outgoing = Incoming, Params = PathParams, Api = unknown> {
  /**
   * The connected clients, including those of other pages of the origin with a link of the same URL. Code can send to a
   * client of another page and close it, but not listen to it.
   */
  readonly clients: ReadonlySet<WebSocketClient<Incoming, Outgoing>>
  /**
   * Creates a handler of connections. Several handlers may take one connection.
   *
   * @throws {UnderstudyError} if the type of event is unknown, or the listener is not a function
   * @example
   * const handlers = [
   *   chat.addEventListener('connection', ({ client }) => {
   *     client.addEventListener('message', (event) => client.send(`You said: ${event.data}`))
   *   }),
   * ]
   */
  addEventListener(
    type: 'connection',
    listener: WebSocketEventListener<'connection', Incoming, Outgoing, Params, Api>,
  ): WebSocketHandler
  /** Makes the handlers that were created from a listener take no more connections. */
  removeEventListener(
    type: 'connection',
    listener: WebSocketEventListener<'connection', Incoming, Outgoing, Params, Api>,
  ): void
  /** Sends a message to all clients. */
  broadcast(message: Outgoing): void
  /** Sends a message to all clients but one, or some. */
  broadcastExcept(
    clients: WebSocketClient<Incoming, Outgoing> | readonly WebSocketClient<Incoming, Outgoing>[],
    message: Outgoing,
  ): void
}

/** Options of {@link Ws.link}. */
export interface WebSocketLinkOptions<Extensions extends readonly AnyExtension[] = readonly []> {
  /** Protocols on top of WebSocket. If there are several, the last one encodes and decodes messages. */
  extensions?: Extensions
}

type Together<Union> = (Union extends unknown ? (part: Union) => void : never) extends (all: infer All) => void
  ? All
  : never

/** The type of {@link ws}. */
export interface Ws {
  /**
   * Intercepts connections to a URL.
   *
   * @param url a path as in `http`, with parameters and wildcards: absolute (`ws:` or `wss:`; `http:` and `https:` mean
   * the same) or relative to the page; or a RegExp, which is tested against the `ws:` URL
   * @throws {UnderstudyError} if the URL is not valid
   * @example
   * const chat = ws.link('wss://example.com/chat/:room')
   * const handlers = [chat.addEventListener('connection', ({ client, params }) => client.send(`Welcome to ${params.room}`))]
   */
  link<const Url extends string>(url: Url): WebSocketLink<WebSocketData, WebSocketData, ParamsOf<Url>>
  /** A link with an extension, whose messages handlers send and receive. */
  link<const Extensions extends readonly AnyExtension[]>(
    url: Path,
    options: WebSocketLinkOptions<Extensions>,
  ): WebSocketLink<
    MessageOf<Extensions[number]>,
    MessageOf<Extensions[number]>,
    PathParams,
    Together<ApiOf<Extensions[number]>>
  >
  /** Takes the types of messages from the caller: what the app sends, and what it gets. */
  link<Incoming extends WebSocketData = WebSocketData, Outgoing extends WebSocketData = Incoming>(
    url: Path,
  ): WebSocketLink<Incoming, Outgoing>
}

/**
 * Handlers of WebSocket connections.
 *
 * @example
 * const chat = ws.link('wss://example.com/chat')
 * const handlers = [chat.addEventListener('connection', ({ client }) => client.send('hello'))]
 */
export const ws: Ws = { link: createLink as Ws['link'] }

type AnyClient = WebSocketClient<unknown, unknown>
type AnyListener = WebSocketEventListener<'connection', unknown>

function createLink(
  url: Path,
  options: WebSocketLinkOptions<readonly AnyExtension[]> = {},
): WebSocketLink<unknown, unknown> {
  const header = `WS ${typeof url === 'string' || url instanceof RegExp ? String(url) : describe(url)}`
  const operation = `make the link ${header}`
  const match = parseWebSocketUrl(operation, url)
  checkOptions(operation, options)
  const { extensions = [] } = options
  checkExtensions(operation, extensions)
  const clients = new LinkClients(String(url))
  const removed = new WeakSet<AnyListener>()
  warnOfSearch(url, captureCallSite(createLink))

  function addEventListener(type: 'connection', listener: AnyListener): WebSocketHandler {
    checkListener(header, type, listener)
    removed.delete(listener)
    clients.connect()
    return new WebSocketHandler({
      header,
      callSite: captureCallSite(addEventListener),
      extensions,
      clients,
      match({ url: connectedUrl, baseUrl }) {
        const params = removed.has(listener) ? null : match(connectedUrl, baseUrl)
        return params && { params }
      },
      connect({ client, server, info, extras, network, entry }) {
        clients.add(client, { network, entry })
        const context = { client, server, info }
        const { params } = extras as { params: PathParams }
        const connection = { type: 'connection' as const, ...context, params }
        for (const extension of extensions) Object.assign(connection, extension.extend?.(context as never))
        return listener(connection)
      },
    })
  }

  const broadcastExcept = (excepted: AnyClient | readonly AnyClient[], message: unknown): void => {
    const ids = new Set([excepted].flat().map(({ id }) => id))
    for (const client of clients.all) if (!ids.has(client.id)) client.send(message)
  }

  return {
    clients: clients.all,
    addEventListener,
    removeEventListener: (_type, listener) => void removed.add(listener),
    broadcast: (message) => broadcastExcept([], message),
    broadcastExcept,
  }
}

function checkExtensions(operation: string, extensions: unknown): void {
  const isExtension = (value: unknown): boolean => {
    const { encode, decode } = (value ?? {}) as Partial<Record<keyof AnyExtension, unknown>>
    return typeof encode === 'function' && typeof decode === 'function'
  }
  if (Array.isArray(extensions) && extensions.every(isExtension)) return
  const isList = Array.isArray(extensions)
  throw failure(
    'US0613',
    operation,
    isList ? 'one of its extensions has no "encode" or no "decode"' : `its extensions are ${describe(extensions)}`,
    'Pass a list of objects with these methods: { extensions: [{ encode, decode }] }.',
  )
}

function checkListener(header: string, type: unknown, listener: unknown): void {
  const operation = `listen to ${header}`
  if (type !== 'connection') {
    throw failure('US0614', operation, `a link has no event ${describe(type)}`, "Listen to 'connection'.")
  }
  if (typeof listener !== 'function') {
    throw failure('US0615', operation, `the listener is ${describe(listener)}`, 'Pass a function: ({ client }) => {}.')
  }
}

function warnOfSearch(url: Path, callSite: ReturnType<typeof captureCallSite>): void {
  const search = typeof url === 'string' ? searchOf(url) : ''
  if (typeof url !== 'string' || search === '') return
  printLater(() => {
    const site = callSite()
    print.warn(
      'US0616',
      `The link ws.link('${url}')${site ? ` (${formatCallSite(site)})` : ''} has "${search}" in its URL, which is ignored. ` +
        `Write '${url.slice(0, -search.length)}' and read the query from the connection: ({ client }) => client.url.searchParams.get(…).`,
    )
  })
}
