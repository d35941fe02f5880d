import type { LayerEntry, LayerName } from '../core/handlers/handler-layers.ts'
import type { Override } from '../core/handlers/override.ts'
import { isRequestHandler } from '../core/handlers/request-handler.ts'
import type { Network } from '../core/network/network.ts'
import { toPlainOverride } from './apply-override.ts'
import { findShadows } from './find-shadows.ts'

/** A handler in a network, as plain data. */
export interface InspectedHandler {
  /** The handler's id in this network. */
  readonly id: number
  readonly kind: string
  /** `GET /user/:id` */
  readonly header: string
  readonly layer: LayerName
  /** Where the handler was created, if the runtime provides this. */
  readonly origin: { readonly file: string; readonly line: number; readonly column: number } | null
  /** The number of requests that it answered. */
  readonly hits: number
  readonly enabled: boolean
  /** Whether it is a `once` handler that has already answered. */
  readonly isUsedUp: boolean
  /** The id of an earlier handler that matches every request that this one matches; `null` if none certainly does. */
  readonly shadowedBy: number | null
  readonly override: Override | null
}

/** Returns a function that returns the handlers of a network in the order in which they answer. */
export function createHandlerInspector(network: Network): () => readonly InspectedHandler[] {
  let known:
    | { readonly layers: object; readonly key: string; readonly shadows: ReadonlyMap<number, number> }
    | undefined

  /** Depends only on which handlers there are, and which are on. With many handlers, it takes milliseconds. */
  function readShadows(entries: readonly LayerEntry[]): ReadonlyMap<number, number> {
    // Layers of a boundary may have the same ids for other handlers.
    const { baseUrl, layers } = network
    const key = `${baseUrl} ${entries.map(({ id, enabled }) => (enabled ? id : -id)).join()}`
    if (known?.layers !== layers || known.key !== key) known = { layers, key, shadows: findShadows(entries, baseUrl) }
    return known.shadows
  }

  return () => {
    const entries = network.layers.entries()
    const shadows = readShadows(entries)
    return entries.map((entry) => toInspectedHandler(entry, shadows.get(entry.id) ?? null))
  }
}

/** Whether a handler of a snapshot is as it was in the snapshot before. */
export function isSameHandler(handler: InspectedHandler, known: InspectedHandler | undefined): boolean {
  return (
    handler.id === known?.id &&
    handler.header === known.header &&
    handler.layer === known.layer &&
    handler.hits === known.hits &&
    handler.enabled === known.enabled &&
    handler.isUsedUp === known.isUsedUp &&
    handler.shadowedBy === known.shadowedBy &&
    // Few handlers have one. Edited bodies may be long, and are compared only if there is one on both sides.
    (handler.override === known.override || JSON.stringify(handler.override) === JSON.stringify(known.override))
  )
}

function toInspectedHandler(entry: LayerEntry, shadowedBy: number | null): InspectedHandler {
  const { id, handler, layer, hits, enabled, override } = entry
  const { header, callSite } = handler.info
  return {
    id,
    kind: handler.kind,
    header,
    layer,
    origin: callSite ? { ...callSite } : null,
    hits,
    enabled,
    isUsedUp: isRequestHandler(handler) && handler.once && handler.isUsed,
    shadowedBy,
    override: toPlainOverride(override),
  }
}
