import { failure, print } from '../core/failure.ts'
import { describe } from '../core/handlers/check-handlers.ts'
import type { LayerEntry, LayerName } from '../core/handlers/handler-layers.ts'
import type { Override } from '../core/handlers/override.ts'
import { isRequestHandler } from '../core/handlers/request-handler.ts'
import type { HandlersControl, Network } from '../core/network/network.ts'
import { findShadows } from './find-shadows.ts'
import { KeptBodies, type InspectedBodies } from './kept-bodies.ts'
import { RequestLog, type InspectedHeaders, type LoggedRequest } from './request-log.ts'

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
  /** The last 500 requests since inspection began, the newest first. */
  readonly requests: readonly LoggedRequest[]
}

/** Looks into a network, and changes what a developer changes by hand. */
export interface Inspection {
  /** Inside of a boundary of a server: its handlers, and the requests of all. */
  snapshot(): Snapshot
  /** Calls a listener after changes, once for all changes of a moment. Returns what ends that. */
  subscribe(listener: (snapshot: Snapshot) => void): () => void
  /**
   * Keeps the beginnings of bodies from now on. Without this call, none is copied; with it, they are read to the limit as
   * they come, whether their owners read them or not.
   *
   * @param limit bytes of each body; default: 65,536
   * @returns what ends that; those that were kept stay until their requests are forgotten
   */
  keepBodies(limit?: number): () => void
  /** The headers of a request, as long as it is logged; then `null`. */
  headers(requestId: string): InspectedHeaders | null
  /** The bodies of a request, as far as they were kept. */
  bodies(requestId: string): InspectedBodies
  /** @throws for an id that no handler has (now) */
  setEnabled(id: number, enabled: boolean): void
  /**
   * Forces a status, a delay or a network error on a handler; `null` takes that back.
   *
   * @throws for an id that no handler has (now), a status outside 200–599, or a delay that no timer can wait
   */
  override(id: number, override: Override | null): void
  /** Forgets requests and hits. What is switched and forced stays. */
  clear(): void
  /** Forgets requests, hits, overrides and switches. Handlers stay. */
  reset(): void
}

/** How many requests are kept. */
const logLimit = 500

const inspections = new WeakMap<Network, Inspection>()

/**
 * Looks into what `setupWorker` or `setupServer` returned. Requests are logged from the first call on; a second call
 * returns the same.
 *
 * @throws for something else
 * @example
 * const inspection = inspect(worker)
 * inspection.subscribe(({ requests }) => console.table(requests))
 */
export function inspect(workerOrServer: Pick<HandlersControl, '~network'>): Inspection {
  const network = (workerOrServer as Partial<typeof workerOrServer> | undefined)?.['~network']
  if (!network) {
    const mend = 'Pass what setupWorker() or setupServer() returned.'
    throw failure('inspect', `it was given ${describe(workerOrServer)}`, mend)
  }
  let inspection = inspections.get(network)
  if (!inspection) {
    inspection = createInspection(network)
    inspections.set(network, inspection)
  }
  return inspection
}

function createInspection(network: Network): Inspection {
  const log = new RequestLog(logLimit)
  const listeners = new Set<(snapshot: Snapshot) => void>()
  const bodyLimits = new Set<{ readonly bytes: number }>()
  let isPending = false

  function changed(): void {
    if (isPending || listeners.size === 0) return
    isPending = true
    setTimeout(() => {
      isPending = false
      const current = snapshot()
      for (const listener of listeners) tell(listener, current)
    })
  }
  const kept = new KeptBodies(changed)

  network.onChange(changed)
  network.observe((decision) => {
    log.add(decision)
    if (bodyLimits.size > 0) kept.keep(decision, Math.max(...Array.from(bodyLimits, ({ bytes }) => bytes)))
    kept.forgetOthers(new Set(log.requests.map(({ id }) => id)))
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

  function forget(change: Parameters<Network['layers']['change']>[1]): void {
    log.clear()
    kept.forgetOthers(new Set())
    network.layers.change(network.layers.entries(), change)
    // Inside of a boundary, nobody outside is told of that.
    changed()
  }

  return {
    snapshot,
    subscribe(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    keepBodies(bytes = 65_536) {
      if (!(bytes > 0)) throw failure('keep bodies', `the limit ${bytes} is none`, 'Use a number of bytes above 0.')
      const limit = { bytes }
      bodyLimits.add(limit)
      return () => void bodyLimits.delete(limit)
    },
    headers: (requestId) => log.headers(requestId),
    bodies: (requestId) => kept.get(requestId),
    setEnabled(id, enabled) {
      network.layers.change([find('switch a handler', id)], { enabled })
    },
    override(id, override) {
      const entry = find('override a handler', id)
      checkOverride(override)
      network.layers.change([entry], { override: override ? { ...override } : undefined })
    },
    clear: () => forget({ hits: 0 }),
    reset: () => forget({ enabled: true, hits: 0, override: undefined }),
  }
}

function tell(listener: (snapshot: Snapshot) => void, snapshot: Snapshot): void {
  try {
    listener(snapshot)
  } catch (error) {
    print.error('Failed to tell a subscriber of an inspection: it threw. See its error:', error)
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
    override: override ? { ...override } : null,
  }
}

function checkOverride(override: Override | null): void {
  const { status, delay } = override ?? {}
  if (status !== undefined && !(Number.isInteger(status) && status >= 200 && status <= 599)) {
    throw failure('override a handler', `the status ${status} is none`, 'Use an integer from 200 to 599.')
  }
  if (delay !== undefined && !(delay >= 0 && delay <= longestDelay)) {
    const mend = `Use milliseconds, from 0 to ${longestDelay}.`
    throw failure('override a handler', `the delay ${delay} is none`, mend)
  }
}

/** What a timer can wait. */
const longestDelay = 2_147_483_647
