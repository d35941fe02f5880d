import { EventEmitter } from 'node:events'
import http, { type IncomingMessage, type ServerResponse } from 'node:http'

import { print } from '../../core/failure.ts'
import { couldAnswer } from '../../core/handlers/candidates.ts'
import { isIgnorable } from '../../core/network/handle-request.ts'
import { removeBypassMark } from '../../core/responses/bypass-marks.ts'
import { bypassMark } from '../../core/responses/bypass.ts'
import { carryOut } from '../../core/source.ts'
import { proceed } from '../../core/steps.ts'
import { takeDecided } from '../decided-requests.ts'
import { decide, listeningNetworks } from '../listening.ts'
import { asSystemError, isEmptyResponse } from '../system-error.ts'
import { breakOff, nextTurn } from './break-off.ts'
import { createRequest, namedUrlOf, urlOf, type ClientRequest } from './client-request.ts'
import type { Connection } from './connection.ts'
import { hideFromDiagnostics } from './diagnostics.ts'
import { refuse, sendMocked } from './mocked-response.ts'
import { pageCredentials } from './page-credentials.ts'
import { answerPreflight, toPageResponse } from './page-requests.ts'
import { sendReal, toPairs } from './real-request.ts'
import type { ServerEnd } from './server-end.ts'
import { openTunnel } from './tunnel.ts'
import { decideWebSocket, isWebSocket } from './web-socket-request.ts'

let server: http.Server | undefined

/** Lets Node's own HTTP server read the requests of a connection. The server does not listen on a port. */
export function serve(end: ServerEnd): void {
  server ??= createServer()
  hideFromDiagnostics(end)
  server.emit('connection', end)
}

const largestHeaders = 1024 * 1024

function createServer(): http.Server {
  const created = new http.Server({
    // Disable the limits of Node's server, because handlers decide how long a response takes.
    maxHeaderSize: largestHeaders,
    requireHostHeader: false,
    keepAliveTimeout: 0,
    headersTimeout: 0,
    requestTimeout: 0,
  })
  created.maxHeadersCount = 0
  // Tools that trace servers replace the method of the class: they would report a request that no server of the app gets.
  Object.defineProperty(created, 'emit', { value: Reflect.get(EventEmitter.prototype, 'emit') as unknown })
  // A client may end its side after its request. Otherwise Node ends the connection before the handlers have answered.
  Reflect.set(created, 'httpAllowHalfOpen', true)
  created.on('request', (incoming, outgoing) => receive(incoming, outgoing, false))
  created.on('checkContinue', (incoming, outgoing) => receive(incoming, outgoing, true))
  created.on('checkExpectation', (incoming, outgoing) => receive(incoming, outgoing, false))
  created.on('connect', (incoming, socket, head) => {
    const connection = (socket as ServerEnd).connection as Connection
    connection.takeContext()
    connection.startTunnel(`http://${incoming.url}`, openTunnel(connection.openReal, incoming))
    connection.send(Buffer.from('HTTP/1.1 200 Connection established\r\n\r\n'), () => {})
    if (head.length > 0) connection.receive(head, () => {})
    else connection.awaitFirstBytes()
  })
  created.on('clientError', (error: Error & { code?: string }, socket) => {
    const connection = (socket as ServerEnd).connection as Connection
    if (error.code === 'ECONNRESET' || !socket.writable) return
    print.error(
      'US0403',
      `Failed to read a request to ${connection.origin}: ${error.message}. ` +
        'It is not sent to the network; the client gets the status 400. Correct what the client sends.',
      error,
    )
    const status = error.code === 'HPE_HEADER_OVERFLOW' ? '431 Request Header Fields Too Large' : '400 Bad Request'
    // The client may still be writing.
    void nextTurn().then(() => {
      const current = Reflect.get(socket, '_httpMessage') as ServerResponse | null | undefined
      if (current?.headersSent) socket.destroy()
      else if (socket.writable) socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\n\r\n`)
    })
  })
  return created
}

function connectionOfMessage({ socket }: IncomingMessage): Connection {
  return (socket as unknown as ServerEnd).connection as Connection
}

/** @param isExpecting whether the client waits for `100 Continue` before it sends its body */
function receive(incoming: IncomingMessage, outgoing: ServerResponse, isExpecting: boolean): void {
  const connection = connectionOfMessage(incoming)
  connection.requests += 1
  outgoing.once('close', () => {
    connection.requests -= 1
    if (connection.isRetired && connection.requests === 0) connection.retire(connection.lastNetwork)
  })
  void connection
    .takeContext()(() => answer(incoming, outgoing, isExpecting))
    .catch((error: unknown) => {
      print.error(
        'US0404',
        'Failed to answer a request: an error was not caught. Report this error to Understudy.',
        error,
      )
      connection.fail(error)
    })
}

async function answer(incoming: IncomingMessage, outgoing: ServerResponse, isExpecting: boolean): Promise<void> {
  const connection = connectionOfMessage(incoming)
  const method = incoming.method ?? 'GET'
  const responseListeners: ((response: Response) => void)[] = []
  let isContinued = !isExpecting
  let call: ClientRequest | undefined
  try {
    const connected = urlOf(connection, incoming)
    const named = namedUrlOf(connected, incoming)
    const isLate = connection.isRetired && connection.queue?.takeLate()
    const listening = connection.lastNetwork && !isLate ? [connection.lastNetwork] : listeningNetworks()
    const could = (to: URL): boolean => listening.some((network) => couldAnswer(network, method, to))
    const url = named && !could(connected) && could(named) ? named : connected
    if (isWebSocket(incoming)) {
      try {
        if (await decideWebSocket({ url, connection, incoming, outgoing }, listening)) return
      } catch (error) {
        connection.fail(error)
        return
      }
      if (outgoing.destroyed) return
    }
    const networks = isWebSocket(incoming) ? [] : listening
    for (const network of networks) {
      const preflight = answerPreflight(url, incoming, network)
      if (!preflight) continue
      await sendMocked(preflight, connection, incoming, outgoing)
      return
    }
    // The replaced `fetch` has already decided about this request.
    const isDecided = takeDecided(method, connected) || (named !== undefined && takeDecided(method, named))
    if (!isDecided && networks.some((network) => !isIgnorable(network, method, url))) {
      call = createCall(url, incoming, outgoing)
      if (!isContinued && networks.some((network) => couldAnswer(network, method, url))) {
        // Ask for the body: otherwise a resolver that reads it waits forever. Do so in a later task, because the client
        // may write at once, and the parser that runs now is not reentrant.
        await nextTurn()
        outgoing.writeContinue()
        isContinued = true
      }
      const steps = decide(call.request, networks)
      const outcome = steps && (await proceed(steps))
      // The client may have aborted the request.
      if (outgoing.destroyed) return
      const isAnswered =
        outcome &&
        (await carryOut<boolean | Promise<boolean>>(outcome, {
          async respond(response) {
            await sendMocked(toPageResponse(response, incoming), connection, incoming, outgoing)
            return true
          },
          async fail(error) {
            if (isEmptyResponse(error)) await breakOff(outgoing)
            else connection.fail(asSystemError(error, url))
            return true
          },
          passthrough({ onResponse }) {
            if (onResponse) responseListeners.push(onResponse)
            return false
          },
        }))
      if (isAnswered) return
    }
  } catch (error) {
    const reason = `no request can be made of ${method} ${incoming.url} to ${connection.origin}`
    print.error('US0405', `Failed to read a request: ${reason}. The client gets the status 400.`, error)
    await nextTurn()
    if (outgoing.headersSent) connection.fail(error)
    else refuse(outgoing, 400, reason)
    return
  }
  const rawHeaders = withoutBypassMark(incoming.rawHeaders)
  const body = call?.request.body ?? undefined
  sendReal({ connection, incoming, outgoing, rawHeaders, body, responseListeners, isContinued })
}

function createCall(url: URL, incoming: IncomingMessage, outgoing: ServerResponse): ClientRequest {
  const call = createRequest(url, incoming, pageCredentials())
  outgoing.once('finish', call.finish)
  outgoing.once('close', () => {
    if (!outgoing.writableFinished) call.abort()
  })
  return call
}

function withoutBypassMark(rawHeaders: readonly string[]): readonly string[] {
  if (!rawHeaders.some((text) => text.includes(bypassMark))) return rawHeaders
  return toPairs(rawHeaders).flatMap(([name, value]) => {
    if (name.toLowerCase() !== 'accept') return [name, value]
    const headers = new Headers({ accept: value })
    removeBypassMark(headers)
    const rest = headers.get('accept')
    return rest === null ? [] : [name, rest]
  })
}
