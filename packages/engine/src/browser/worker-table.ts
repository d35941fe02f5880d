import { isRequestHandler } from '../core/handlers/request-handler.ts'
import type { Network } from '../core/network/network.ts'
import type { Table } from '../worker/protocol.ts'

/** What the service worker must bring to this page, by the handlers, listeners and policy of its network. */
export function createTable(network: Network): Table {
  const { layers, events, unhandled, baseUrl } = network
  const handlers = layers
    .entries()
    .filter((entry) => entry.enabled)
    .map((entry) => entry.handler)
    .filter(isRequestHandler)
  const routes = handlers.map((handler) => handler.route(baseUrl))
  const isObserved = events.isHeard('request:start', 'request:unhandled', 'request:end', 'response:bypass')
  const others =
    isObserved || unhandled.decides ? 'ask' : unhandled.isSilent && !network.isObserved ? 'nothing' : 'notify'
  return { routes, others, wantsJson: others === 'notify' && handlers.some(({ protocol }) => protocol !== undefined) }
}

/** Whether a table brings everything that another one does. */
export function covers(table: Table, other: Table): boolean {
  const ranks: Table['others'][] = ['nothing', 'notify', 'ask']
  if (ranks.indexOf(table.others) < ranks.indexOf(other.others)) return false
  if (other.wantsJson && !table.wantsJson) return false
  const known = new Set(table.routes.map((route) => JSON.stringify(route)))
  return other.routes.every((route) => known.has(JSON.stringify(route)))
}
