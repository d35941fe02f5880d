import type { CallSite } from '../core/call-site.ts'
import { describe } from '../core/describe.ts'
import { failure } from '../core/failure.ts'
import type { Handler, HandlerInfo } from '../core/handlers/request-handler.ts'
import { Listeners } from '../core/listeners.ts'
import { openConnection } from './open-connection.ts'
import type { MatchedConnection, OpenConnection, WebSocketHandlerDefinition, WebSocketSide } from './web-socket-side.ts'

/** A connection that other code intercepted, with two ends as in MSW's interceptors. */
interface RunConnection {
  readonly client: { readonly url: string | URL }
  readonly server: object
  readonly info: object
}

/** Takes WebSocket connections. `addEventListener('connection', …)` of a link creates such handlers. */
export class WebSocketHandler implements Handler, WebSocketSide {
  readonly '~handler' = true as const
  readonly kind = 'websocket' as const
  readonly info: HandlerInfo
  isUsed = false
  readonly '~open': OpenConnection = openConnection
  readonly '~definition': WebSocketHandlerDefinition

  /** @throws {UnderstudyError} if the argument is a URL, which MSW's class accepts */
  constructor(definition: WebSocketHandlerDefinition) {
    if (typeof definition?.header !== 'string') {
      throw failure(
        'US0617',
        'create a WebSocket handler',
        `its definition is ${describe(definition)}`,
        "Call ws.link('wss://…').addEventListener('connection', listener).",
      )
    }
    const { header, callSite } = definition
    this['~definition'] = definition
    this.info = {
      header,
      get callSite(): CallSite | undefined {
        return callSite()
      },
    }
  }

  /** Returns whether the handler takes connections to a URL. */
  test(url: string | URL, context: { baseUrl?: string } = {}): boolean {
    return this.#match(new URL(url, context.baseUrl), context.baseUrl) !== null
  }

  /**
   * Passes a connection that other code intercepted to the handler.
   *
   * @returns `null` if the handler does not take it
   */
  async run(connection: RunConnection, context: { baseUrl?: string } = {}): Promise<RunConnection | null> {
    const { client } = connection
    const extras = this.#match(new URL(client.url), context.baseUrl)
    if (!extras) return null
    // Only GraphQL subscriptions need the other members of a connection. This connection does not belong to a network.
    const network = { connectionsEnd: new Listeners() }
    const entry = { layer: 'runtime' }
    await this['~definition'].connect({
      ...connection,
      extras,
      network,
      entry,
      memo: new Map(),
    } as unknown as MatchedConnection)
    return { ...connection, ...extras }
  }

  #match(url: URL, baseUrl: string | undefined): object | null {
    // Links match URLs with `ws:` and `wss:`.
    if (url.protocol.startsWith('http')) url.protocol = url.protocol.replace('http', 'ws')
    return this['~definition'].match({ url, protocols: [], baseUrl })
  }
}
