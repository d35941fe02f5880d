import { createServer, type Server } from 'node:http'

import { describe } from '../core/describe.ts'
import { failure, print } from '../core/failure.ts'
import type { Handler } from '../core/handlers/request-handler.ts'
import { allowPreflight, isPreflight } from './cors.ts'
import { createFetchHandler, type FetchHandlerOptions } from './create-fetch-handler.ts'
import { showHeaders } from './create-middleware.ts'
import { sendResponse, toRequest, type MalformedRequestError } from './node-messages.ts'

/** Options of {@link listen}. */
export interface ServerOptions extends FetchHandlerOptions {
  /** Default: 0, which selects a free port. */
  port?: number
  /** Default: `'127.0.0.1'`, so that other machines cannot reach the server. */
  hostname?: string
  /** Lets pages of other origins read the responses, and answers preflights. Default: `true`. */
  cors?: boolean
}

/** A listening server. */
export interface ListeningServer {
  /** The server's origin: `http://127.0.0.1:3000`. */
  readonly url: string
  readonly port: number
  /** Node's server. */
  readonly server: Server
  /** Closes the server and its open connections. */
  close(): Promise<void>
}

/**
 * Listens on a port and answers with handlers. A request that no handler matches gets the status 404 and a text with
 * the nearest handlers.
 *
 * @throws {UnderstudyError} if the list contains a value that is not a handler, an option is not valid, or the port is
 * in use
 * @example
 * const { url, close } = await listen(handlers, { port: 3000 })
 */
export async function listen(handlers: readonly Handler[], options: ServerOptions = {}): Promise<ListeningServer> {
  const { port: wanted = 0, hostname = '127.0.0.1', cors = true, ...rest } = options
  if (!Number.isInteger(wanted) || wanted < 0 || wanted > 65_535) {
    throw failure('US1011', 'listen', `"port" is ${describe(wanted)}`, 'Use a whole number from 0 to 65535.')
  }
  const handle = createFetchHandler(handlers, rest)
  const server = createServer((message, to) => {
    const answer = async (): Promise<void> => {
      const { request } = toRequest(message)
      const response = await handle(request)
      const isAllowed = cors && response.status === 404 && isPreflight(request)
      await sendResponse(isAllowed ? allowPreflight(request) : showHeaders(response, request, cors), to)
    }
    answer().catch((error: Partial<MalformedRequestError>) => {
      const status = { US1015: 400, US0417: 500 }[error.code ?? '']
      if (status === 500) print.failure(String(error.message))
      if (status === undefined || to.headersSent) to.destroy()
      else to.writeHead(status, { 'Content-Type': 'text/plain; charset=utf-8' }).end(error.message)
    })
  })
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  server.once('error', reject)
  server.listen(wanted, hostname, resolve)
  try {
    await promise
  } catch (error) {
    throw failure(
      'US1012',
      `listen on ${hostname}:${wanted}`,
      (error as Error).message,
      'Choose another port, or stop the program that uses it.',
    )
  }
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : wanted
  return {
    url: `http://${hostname.includes(':') ? `[${hostname}]` : hostname}:${port}`,
    port,
    server,
    close() {
      const closed = new Promise<void>((resolveClosed) => void server.close(() => resolveClosed()))
      server.closeAllConnections()
      return closed
    },
  }
}
