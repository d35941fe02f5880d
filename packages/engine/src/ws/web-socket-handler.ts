import type { CallSite } from '../core/call-site.ts'
import type { Handler, HandlerInfo } from '../core/handlers/request-handler.ts'
import { openConnection } from './open-connection.ts'
import type { OpenConnection, WebSocketHandlerDefinition, WebSocketSide } from './web-socket-side.ts'

/** Takes WebSocket connections. Made by `addEventListener('connection', …)` of a link. */
export class WebSocketHandler implements Handler, WebSocketSide {
  readonly '~handler' = true as const
  readonly kind = 'websocket' as const
  readonly info: HandlerInfo
  isUsed = false
  readonly '~open': OpenConnection = openConnection
  readonly '~definition': WebSocketHandlerDefinition

  constructor(definition: WebSocketHandlerDefinition) {
    const { header, callSite } = definition
    this['~definition'] = definition
    this.info = {
      header,
      get callSite(): CallSite | undefined {
        return callSite()
      },
    }
  }
}
