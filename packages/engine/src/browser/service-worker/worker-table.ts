import type { Batch } from '../../core/handlers/handler-layers.ts'
import { isRequestHandler } from '../../core/handlers/request-handler.ts'
import { mayAnswerDocuments, type AppPages } from '../../core/network/document-request.ts'
import type { Network } from '../../core/network/network.ts'
import type { Route } from '../../core/routing/route.ts'
import { tableForm, type TableMessage, type TablePart } from '../../worker/protocol.ts'

/**
 * The route table of a page: the requests that the service worker must forward, by the handlers, listeners and policy
 * of its network.
 */
export interface PageTable {
  readonly parts: readonly PagePart[]
  readonly others: TableMessage['others']
  readonly wantsJson: boolean
  readonly areServed: TableMessage['areServed']
}

/** The routes of handlers that were added together. */
interface PagePart extends Required<TablePart> {
  /** Each route as text, to find equal routes. */
  readonly shapes: ReadonlySet<string>
  /** Whether one of the handlers belongs to a protocol, such as GraphQL, that reads bodies. */
  readonly hasProtocol: boolean
}

/**
 * Created once for handlers that were added together, so that the cost of a change depends only on what was changed.
 */
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
  // Many GraphQL handlers share one route.
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

/** Returns whether a table forwards every request that another table forwards. */
export function covers(table: PageTable, other: PageTable): boolean {
  const ranks: PageTable['others'][] = ['nothing', 'notify', 'ask']
  if (ranks.indexOf(table.others) < ranks.indexOf(other.others)) return false
  if (other.wantsJson && !table.wantsJson) return false
  const known = new Set(table.parts)
  return other.parts.every(
    (part) => known.has(part) || [...part.shapes].every((shape) => table.parts.some(({ shapes }) => shapes.has(shape))),
  )
}

/**
 * Converts the table into the form that the worker receives.
 *
 * @param known the table that the worker has. Of its parts, only the ids are sent
 */
export function toMessage({ parts, ...rest }: PageTable, known?: PageTable): TableMessage {
  const told = new Set(known?.parts)
  return {
    ...rest,
    form: tableForm,
    parts: parts.map((part): TablePart => (told.has(part) ? { id: part.id } : { id: part.id, routes: part.routes })),
  }
}
