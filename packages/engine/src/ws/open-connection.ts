import { nameHandler } from '../core/call-site.ts'
import { print } from '../core/failure.ts'
import { emit } from '../core/network/emit.ts'
import type { Network } from '../core/network/network.ts'
import { toError } from '../core/network/thrown-error.ts'
import { delay } from '../core/responses/delay.ts'
import { abnormal, toReason } from './close-code.ts'
import { MockedConnection } from './mocked-connection.ts'
import { reportConnection, requestOf } from './report-connection.ts'
import {
  webSocketEntries,
  type MatchedConnection,
  type OpenConnection,
  type WebSocketEntry,
  type WebSocketSide,
} from './web-socket-side.ts'
import { protocolsOf, readProtocols, resolveWebSocketUrl } from './web-socket-url.ts'

export interface Match extends WebSocketEntry {
  readonly extras: object
}

let lastId = 0
/** Makes ids unique among the pages of the origin. */
const run = Math.random().toString(16).slice(2, 10)

/**
 * Decides about a connection. The first network with matching handlers decides, and all its matching handlers take the
 * connection, in their order. If no network has a match, the platform opens the connection, and the policy of each
 * network is applied.
 */
export const openConnection: OpenConnection = ({ socket, args, native, networks }) => {
  const url = resolveWebSocketUrl(args[0])
  const protocols = readProtocols(args[1])
  // The platform's constructor rejects these arguments with its own error.
  if (!url || !protocols) return undefined

  const asked: Network[] = []
  let matches: Match[] = []
  for (const network of networks) {
    if (matches.length > 0) break
    asked.push(network)
    matches = findMatches(network, url, protocols)
  }
  const connection = new MockedConnection({
    id: `ws-${run}-${++lastId}`,
    url,
    socket: socket as WebSocket,
    info: { protocols: protocolsOf(args[1]) },
    protocol: selectProtocol(matches, protocols),
    create: () => Reflect.construct(native, args) as WebSocket,
    createClosed: () => createClosed(native, url),
  })
  for (const { events } of asked) {
    emit(events, 'websocket:connection', () => ({ url, protocols: connection.info.protocols }))
  }
  const network = asked.at(-1)
  if (network && matches.length > 0) {
    const { client } = connection
    const handlers = matches.map(({ entry }) => entry.handler)
    const onSent = (listener: (data: unknown) => void): void =>
      client.addEventListener('message', ({ data }) => listener(data))
    const send = (data: string): void => client.send(data)
    network.connections.call({ url, handlers, socket: client.socket, onSent, send })
    // A test library may replace `queueMicrotask` with one that waits for its clock.
    void Promise.resolve().then(() => connect(connection, matches, network))
    return connection.app
  }
  const reported = Promise.all(asked.map((each) => reportConnection(connection, each)))
  if (!asked.some(({ unhandled }) => unhandled.decides)) {
    void reported
    return undefined
  }
  reported.then(
    () => {
      if (!connection.app.isEnding) connection.server.connect()
    },
    () => connection.app.refuse({ code: abnormal, reason: '', wasClean: false, tellsError: true }),
  )
  return connection.app
}

/** Creates an instance of the platform's class that is closed and was never connected. */
function createClosed(native: typeof WebSocket, { href: url }: URL): WebSocket {
  const socket = Reflect.construct(EventTarget, [], native) as WebSocket
  const nothing = (): void => {}
  // The members of the platform's prototype throw, because the object has no connection.
  const state = { url, readyState: 3, bufferedAmount: 0, protocol: '', extensions: '', binaryType: 'blob' }
  const handlers = { onopen: null, onmessage: null, onerror: null, onclose: null }
  for (const [name, value] of Object.entries({ ...state, ...handlers, send: nothing, close: nothing })) {
    Object.defineProperty(socket, name, { value, writable: true })
  }
  return socket
}

/** Returns the handlers of a network that take a connection. */
export function findMatches(network: Network, url: URL, protocols: readonly string[]): Match[] {
  const { baseUrl } = network
  return webSocketEntries(network).flatMap(({ entry, side }): Match[] => {
    const extras = side['~definition'].match({ url, protocols, baseUrl })
    return extras ? [{ entry, side, extras }] : []
  })
}

function selectProtocol(matches: readonly Match[], protocols: readonly string[]): string {
  const deciding = matches.find(({ side }) => side['~definition'].selectProtocol)
  return deciding?.side['~definition'].selectProtocol?.(protocols) ?? protocols[0] ?? ''
}

/** The app has set `binaryType` and its listeners by now. */
async function connect(connection: MockedConnection, matches: readonly Match[], network: Network): Promise<void> {
  const { app, client, server, info, memo } = connection
  for (const { entry, side, extras } of matches) {
    if (app.isEnding) return
    const fail = (error: unknown): void => failConnection(error, side, connection, network)
    // A request handler counts and overrides each request over the connection, not the connection itself.
    const override = entry.handler.kind === 'websocket' ? entry.override : undefined
    if (entry.handler.kind === 'websocket') entry.hits += 1
    if (override?.delay) {
      await delay(override.delay)
      if (app.isEnding) return
    }
    if (override?.networkError) {
      app.refuse({ code: abnormal, reason: '', wasClean: false, tellsError: true })
      return
    }
    connection.beginHandler(side['~definition'].extensions ?? [], fail)
    const matched: MatchedConnection = { client, server, info, extras, network, entry, memo }
    try {
      const result = side['~definition'].connect(matched)
      // A promise of another realm (jsdom, `node:vm`) is not an instance of this realm's class.
      if (result) Promise.resolve(result).catch(fail)
    } catch (error) {
      fail(error)
      return
    }
  }
  connection.accept()
}

/** Closes the connection as a failing server does: the app gets an error and the code 1011. */
function failConnection(
  error: unknown,
  side: WebSocketSide,
  { app, client, info }: MockedConnection,
  { events }: Network,
): void {
  const cause = toError(error)
  const close = { code: 1011, reason: toReason(cause.message), wasClean: false, tellsError: true }
  if (app.isOpen) app.closeByPeer(close)
  else app.refuse(close)
  const { url } = client
  emit(events, 'websocket:error', () => ({ url, protocols: info.protocols, error: cause }))
  emit(events, 'unhandledException', () => ({ request: requestOf(url), requestId: client.id, error: cause }))
  print.error(
    'US0603',
    `Failed to handle the connection to ${url.href}: the handler ${nameHandler(side)} threw. ` +
      'The connection closes with the code 1011. See the error.',
    error,
  )
}
