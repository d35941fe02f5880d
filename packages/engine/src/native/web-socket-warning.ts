import { print } from '../core/failure.ts'
import type { Handler } from '../core/handlers/request-handler.ts'

const warned = new WeakSet<Handler>()

/** Warns of WebSocket handlers, which get no connections: those of React Native are not intercepted. */
export function warnOfWebSocketHandlers(handlers: readonly Handler[]): void {
  const added = handlers.filter((handler) => handler.kind === 'websocket' && !warned.has(handler))
  if (added.length === 0) return
  for (const handler of added) warned.add(handler)
  print.warn(
    'US1105',
    'WebSocket handlers have no effect in React Native: connections reach their servers. Use a local WebSocket server instead.',
  )
}
