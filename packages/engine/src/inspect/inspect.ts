import { failure } from '../core/failure.ts'
import type { LayerEntry, LayerName } from '../core/handlers/handler-layers.ts'
import type { Override } from '../core/handlers/override.ts'
import { isRequestHandler } from '../core/handlers/request-handler.ts'
import type { HandlersControl, Network } from '../core/network/network.ts'
import type { Decision } from '../core/network/outcome.ts'
import { findShadows } from './find-shadows.ts'
import { RequestLog, type LoggedRequest } from './request-log.ts'

/** A handler in its place, as plain data. */
export interface InspectedHandler {
  /** Identifies it in this network, until it is removed. */
  readonly id: number
  readonly kind: string
  /** `GET /user/:id` */
  readonly header: string
  readonly layer: LayerName
  /** Where it was written, where the runtime tells. */
  readonly origin: { readonly file: string; readonly line: number; readonly column: number } | null
  /** How many requests it answered. */
  readonly hits: number
  readonly enabled: boolean
  /** Whether it answers once, and has. */
  readonly isUsedUp: boolean
  /** The id of an earlier handler that matches whatever this one does, where one surely does. */
  readonly shadowedBy: number | null
  readonly override: Override | null
}

/** A network as plain data: it can be cloned, sent and stored. */
export interface Snapshot {
  /** In the order in which they answer. */
  readonly handlers: readonly InspectedHandler[]
  /** The last 200 requests since inspection began, the newest first. */
  readonly requests: readonly LoggedRequest[]
}

/** Looks into a network, and changes what a developer changes by hand. */
export interface Inspection {
  snapshot(): Snapshot
  /** Calls a listener after every change, once for all changes of a moment. Returns what ends that. */
  subscribe(listener: (snapshot: Snapshot) => void): () => void
  /** @throws for an id that no handler has (now) */
  setEnabled(id: number, enabled: boolean): void
  /**
   * Forces a status, a delay or a network error on a handler; `null` takes that back.
   *
   * @throws for an id that no handler has (now), a status outside 200–599, or a negative delay
   */
  override(id: number, override: Override | null): void
  /** Forgets requests, hits, overrides and switches. Handlers stay. */
  reset(): void
}

const inspections = new WeakMap<Network, Inspection>()

/**
 * Looks into what `setupWorker` or `setupServer` returned. Requests are logged from the first call on.
 *
 * @example
 * const inspection = inspect(worker)
 * inspection.subscribe(({ requests }) => console.table(requests))
 */
export function inspect(workerOrServer: Pick<HandlersControl, '~network'>): Inspection {
  const network = workerOrServer['~network']
  let inspection = inspections.get(network)
  if (!inspection) {
    inspection = createInspection(network)
    inspections.set(network, inspection)
  }
  return inspection
}

function createInspection(network: Network): Inspection {
  const log = new RequestLog(200)
  const listeners = new Set<(snapshot: Snapshot) => void>()
  let isPending = false

  const changed = (): void => {
    if (isPending || listeners.size === 0) return
    isPending = true
    queueMicrotask(() => {
      isPending = false
      const current = snapshot()
      for (const listener of listeners) listener(current)
    })
  }
  network.layers.onChange(changed)
  network.observers.add((decision: Decision) => {
    log.add(decision)
    changed()
  })

  function snapshot(): Snapshot {
    const entries = network.layers.entries()
    const shadows = findShadows(entries, network.baseUrl)
    return {
      handlers: entries.map((entry) => toInspectedHandler(entry, shadows.get(entry.id) ?? null)),
      requests: log.requests,
    }
  }

  function find(operation: string, id: number): LayerEntry {
    const entry = network.layers.entries().find((candidate) => candidate.id === id)
    if (entry) return entry
    throw failure(operation, `there is no handler with the id ${id}`, 'Take an id of the latest snapshot().')
  }

  return {
    snapshot,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    setEnabled(id, enabled) {
      find('switch a handler', id).enabled = enabled
      changed()
    },
    override(id, override) {
      const entry = find('override a handler', id)
      checkOverride(override)
      entry.override = override ?? undefined
      changed()
    },
    reset() {
      log.clear()
      for (const entry of network.layers.entries()) {
        Object.assign(entry, { enabled: true, hits: 0, override: undefined })
      }
      changed()
    },
  }
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
    override: override ?? null,
  }
}

function checkOverride(override: Override | null): void {
  const { status, delay } = override ?? {}
  if (status !== undefined && !(Number.isInteger(status) && status >= 200 && status <= 599)) {
    throw failure('override a handler', `the status ${status} is none`, 'Use an integer from 200 to 599.')
  }
  if (delay !== undefined && !(delay >= 0)) {
    throw failure('override a handler', `the delay ${delay} is none`, 'Use milliseconds, 0 or more.')
  }
}
