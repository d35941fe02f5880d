import type { Batch } from '../../core/handlers/handler-layers.ts'
import { isRequestHandler } from '../../core/handlers/request-handler.ts'
import { mayAnswerDocuments, type AppPages } from '../../core/network/document-request.ts'
import type { Network } from '../../core/network/network.ts'
import type { Route } from '../../core/routing/route.ts'
import type { TableMessage, TablePart } from '../../worker/protocol.ts'

/** What the service worker must bring to this page, by the handlers, listeners and policy of its network. */
export interface PageTable {
  readonly parts: readonly PagePart[]
  readonly others: TableMessage['others']
  readonly wantsJson: boolean
  readonly areServed: TableMessage['areServed']
}

/** The routes of handlers that were added together. */
interface PagePart extends Required<TablePart> {
  /** Each route as text, by which equal ones are found. */
  readonly shapes: ReadonlySet<string>
  /** Whether a handler among them belongs to a protocol, which reads bodies. */
  readonly hasProtocol: boolean
}

/** Made once for handlers that were added together, so that a change costs what was changed, and no more. */
const partsByBatch = new WeakMap<Batch, { readonly part: PagePart; readonly baseUrl: string | undefined }>()
let lastPartId = 0

export function createTable(network: Network): PageTable {
  const { layers, events, unhandled, baseUrl, pages } = network
  const parts = layers.batches().map((batch) => partOf(batch, baseUrl, pages))
  const isObserved =
    network.wantsResponses || events.isHeard('request:start', 'request:unhandled', 'request:end', 'response:bypass')
  const others =
    isObserved || unhandled.decides ? 'ask' : unhandled.isSilent && !network.isObserved ? 'nothing' : 'notify'
  return {
    parts,
    others,
    wantsJson: others === 'notify' && parts.some(({ hasProtocol }) => hasProtocol),
    areServed: pages.areServed,
  }
}

function partOf(batch: Batch, baseUrl: string | undefined, pages: AppPages): PagePart {
  const known = partsByBatch.get(batch)
  if (known && known.baseUrl === baseUrl) return known.part
  const handlers = batch.entries
    .filter((entry) => entry.enabled)
    .map((entry) => entry.handler)
    .filter(isRequestHandler)
  // Many operations of GraphQL share one route.
  const routes = new Map<string, Route>()
  for (const handler of handlers) {
    const route: Route = {
      ...handler.route(baseUrl),
      ...(!mayAnswerDocuments(handler, baseUrl, pages) && { skipsDocuments: true }),
    }
    routes.set(JSON.stringify(route), route)
  }
  lastPartId += 1
  const part = {
    id: lastPartId,
    routes: [...routes.values()],
    shapes: new Set(routes.keys()),
    hasProtocol: handlers.some(({ protocol }) => protocol !== undefined),
  }
  partsByBatch.set(batch, { part, baseUrl })
  return part
}

/** Whether a table brings everything that another one does. */
export function covers(table: PageTable, other: PageTable): boolean {
  const ranks: PageTable['others'][] = ['nothing', 'notify', 'ask']
  if (ranks.indexOf(table.others) < ranks.indexOf(other.others)) return false
  if (other.wantsJson && !table.wantsJson) return false
  const known = new Set(table.parts)
  return other.parts.every(
    (part) => known.has(part) || [...part.shapes].every((shape) => table.parts.some(({ shapes }) => shapes.has(shape))),
  )
}

/** Whether two tables are the same, part by part. */
export function isSameTable(table: PageTable, other: PageTable): boolean {
  return (
    table.others === other.others &&
    table.wantsJson === other.wantsJson &&
    table.parts.length === other.parts.length &&
    table.parts.every((part, place) => part === other.parts[place])
  )
}

/**
 * The table in the form that the worker receives.
 *
 * @param known the table that the worker has: for its entries, only the names are sent
 */
export function toMessage({ parts, ...rest }: PageTable, known?: PageTable): TableMessage {
  const told = new Set(known?.parts)
  return {
    ...rest,
    parts: parts.map((part): TablePart => (told.has(part) ? { id: part.id } : { id: part.id, routes: part.routes })),
  }
}
