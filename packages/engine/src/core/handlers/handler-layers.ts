import type { IncomingRequest } from '../network/incoming-request.ts'
import { RouteTable, type RouteTableEntry } from '../routing/route-table.ts'
import { KeyIndex } from './key-index.ts'
import type { Override } from './override.ts'
import type { Protocol } from './protocol.ts'
import { isRequestHandler, type Handler, type RequestHandler } from './request-handler.ts'
import { resetAllProgress, resetProgress } from './resolver-progress.ts'

/** Which list of a network a handler stands in. */
export type LayerName = 'initial' | 'scoped' | 'runtime'

/** A handler in its place. The same handler may stand in several networks; what is counted here is this network's. */
export interface LayerEntry<Kind extends Handler = Handler> {
  /** Identifies the entry in this network. */
  readonly id: number
  readonly handler: Kind
  readonly layer: LayerName
  /** A handler that is switched off answers nothing. */
  enabled: boolean
  /** How many requests it answered. */
  hits: number
  override: Override | undefined
}

/** What owns a scoped layer: only the owner removes it. */
export type LayerToken = object | symbol | string

/**
 * Entries that were added together. Once made, a batch never changes: it is replaced by another one when one of its
 * entries is switched on or off. So whoever knows a batch knows what is in it.
 */
export interface Batch {
  readonly entries: readonly LayerEntry[]
}

type RequestEntry = LayerEntry<RequestHandler>

/** What of a request decides which routes it could match. */
type RoutedRequest = Pick<IncomingRequest, 'method' | 'url' | 'baseUrl'>

/** The next handler to ask; a promise where a body has to be read to know it. No generator: that waits at each step. */
type Candidate = RequestEntry | undefined | Promise<RequestEntry | undefined>

/** The handlers that could answer a request, one after the other. */
export interface Candidates {
  readonly next: () => Candidate
}

/** What a layer's table holds: a handler, or those of one route and protocol that have a key. */
type Slot = RequestEntry | KeyIndex<RequestEntry>

/**
 * One list of handlers, indexed by the requests that they could match.
 * Handlers put in front take positions below those that are there, so that nothing is ever indexed twice.
 */
class Layer {
  readonly #name: LayerName
  #entries: LayerEntry[] = []
  #batches: readonly Batch[] = []
  #table: RouteTable<Slot> | undefined
  #baseUrl: string | undefined
  #front = 0
  #nextId: () => number

  constructor(name: LayerName, nextId: () => number) {
    this.#name = name
    this.#nextId = nextId
  }

  get entries(): readonly LayerEntry[] {
    return this.#entries
  }

  get batches(): readonly Batch[] {
    return this.#batches
  }

  /** Puts handlers before those that are there; among themselves they keep their order. */
  prepend(handlers: readonly Handler[]): void {
    const added = handlers.map((handler): LayerEntry => ({
      id: this.#nextId(),
      handler,
      layer: this.#name,
      enabled: true,
      hits: 0,
      override: undefined,
    }))
    this.#front -= added.length
    if (this.#table) index(this.#table, added, this.#front, this.#baseUrl)
    this.#entries = [...added, ...this.#entries]
    if (added.length > 0) this.#batches = [{ entries: added }, ...this.#batches]
  }

  /** Replaces the batches that hold one of these entries. */
  renew(changed: ReadonlySet<LayerEntry>): void {
    this.#batches = this.#batches.map((batch) =>
      batch.entries.some((entry) => changed.has(entry)) ? { entries: batch.entries } : batch,
    )
  }

  /** What a request could match, by its route, in order. */
  slots({ method, url, baseUrl }: RoutedRequest): RouteTableEntry<Slot>[] {
    if (this.#entries.length === 0) return []
    if (!this.#table || this.#baseUrl !== baseUrl) {
      this.#table = new RouteTable()
      this.#baseUrl = baseUrl
      index(this.#table, this.#entries, this.#front, baseUrl)
    }
    return this.#table.candidates(method, url)
  }
}

function index(
  table: RouteTable<Slot>,
  entries: readonly LayerEntry[],
  from: number,
  baseUrl: string | undefined,
): void {
  const indexes = new Map<Protocol, Map<string, KeyIndex<RequestEntry>>>()
  entries.forEach((entry, offset) => {
    if (!isRequestEntry(entry)) return
    const { protocol, key } = entry.handler
    const route = entry.handler.route(baseUrl)
    const position = from + offset
    if (!protocol || key === undefined) {
      table.add(route, position, entry)
      return
    }
    const byRoute = indexes.get(protocol) ?? new Map<string, KeyIndex<RequestEntry>>()
    indexes.set(protocol, byRoute)
    const shape = JSON.stringify(route)
    let keyed = byRoute.get(shape)
    if (!keyed) {
      byRoute.set(shape, (keyed = new KeyIndex(protocol)))
      table.add(route, position, keyed)
    }
    keyed.add(key, position, entry)
  })
}

function isSameList(entries: readonly LayerEntry[], handlers: readonly Handler[]): boolean {
  return entries.length === handlers.length && entries.every(({ handler }, place) => handler === handlers[place])
}

function isRequestEntry(entry: LayerEntry): entry is RequestEntry {
  return isRequestHandler(entry.handler)
}

/** Ends what handlers have under way. One that comes back later starts anew. */
function forget(layer: Layer, kept: readonly Handler[] = []): void {
  const staying = new Set(kept)
  for (const { handler } of layer.entries) if (!staying.has(handler)) restart(handler)
}

function restart(handler: Handler): void {
  handler.isUsed = false
  if (isRequestHandler(handler)) resetProgress(handler)
}

/**
 * The handlers of a network: initial < scoped < runtime, the last named answers first (DESIGN.md, "Handlers live in layers").
 */
export class HandlerLayers {
  /** Shared with forks: an id means one entry of the network. */
  #ids = { last: 0 }
  #initial: Layer
  #runtime: Layer
  /** In the order in which they answer: the last installed first. */
  #scoped: { token: LayerToken; layer: Layer }[] = []
  readonly #listeners = new Set<() => void>()

  constructor(initial: readonly Handler[]) {
    this.#initial = this.#createLayer('initial', initial)
    this.#runtime = this.#createLayer('runtime')
  }

  /** Puts handlers before all others. */
  use(handlers: readonly Handler[]): void {
    this.#runtime.prepend(handlers)
    this.#changed()
  }

  /**
   * Drops runtime handlers; a list replaces the initial ones too. The generators of the handlers that stay start again:
   * otherwise, a test would begin where the test before it left them.
   */
  reset(initial: readonly Handler[] = []): void {
    if (initial.length > 0) {
      forget(this.#initial)
      this.#initial = this.#createLayer('initial', initial)
    }
    if (initial.length > 0 || this.#runtime.entries.length > 0) {
      forget(this.#runtime)
      this.#runtime = this.#createLayer('runtime')
      this.#changed()
    }
    resetAllProgress(() =>
      this.entries()
        .map(({ handler }) => handler)
        .filter(isRequestHandler),
    )
  }

  /** Replaces the initial handlers and nothing else: what a hot swap does. */
  replaceInitial(initial: readonly Handler[]): void {
    forget(this.#initial, initial)
    this.#initial = this.#createLayer('initial', initial)
    this.#changed()
  }

  /** Lets handlers that answer once answer again. */
  restore(): void {
    let isChanged = false
    for (const { handler } of this.entries()) {
      if (!isRequestHandler(handler) || !handler.once) continue
      isChanged ||= handler.isUsed
      restart(handler)
    }
    if (isChanged) this.#changed()
  }

  /** Installs a scoped layer; one of the same token is replaced in its place, and stays where the handlers are the same. */
  install(token: LayerToken, handlers: readonly Handler[]): void {
    const existing = this.#scoped.find((scoped) => scoped.token === token)
    if (existing && isSameList(existing.layer.entries, handlers)) return
    const layer = this.#createLayer('scoped', handlers)
    if (existing) {
      forget(existing.layer, handlers)
      existing.layer = layer
    } else this.#scoped.unshift({ token, layer })
    this.#changed()
  }

  /** Removes the layer of a token, and no other; a token without a layer is no error. */
  remove(token: LayerToken): void {
    const removed = this.#scoped.find((scoped) => scoped.token === token)
    if (!removed) return
    forget(removed.layer)
    this.#scoped = this.#scoped.filter((scoped) => scoped !== removed)
    this.#changed()
  }

  /** Changes entries, and tells of it. */
  change(entries: readonly LayerEntry[], to: Partial<Pick<LayerEntry, 'enabled' | 'hits' | 'override'>>): void {
    for (const entry of entries) Object.assign(entry, to)
    if (to.enabled !== undefined) {
      const changed = new Set(entries)
      for (const layer of this.#layers()) layer.renew(changed)
    }
    this.#changed()
  }

  /** Every entry, in the order in which they answer. */
  entries(): LayerEntry[] {
    return this.#layers().flatMap((layer) => layer.entries)
  }

  /** Every entry, by what was added together, in no order. */
  batches(): Batch[] {
    return this.#layers().flatMap((layer) => layer.batches)
  }

  /** Whether there is a handler that could answer a request: what the routes tell, without asking any. */
  couldAnswer(request: RoutedRequest): boolean {
    return this.#layers().some((layer) => layer.slots(request).length > 0)
  }

  /** The request handlers that could answer a request, in the order in which they answer. */
  candidates(incoming: IncomingRequest): Candidates {
    const layers = this.#layers()
    let slots: RouteTableEntry<Slot>[] = []
    const next = (): Candidate => {
      for (;;) {
        const slot = slots.shift()
        if (slot && slot.value instanceof KeyIndex) return open(slot.value)
        if (slot) return slot.value as RequestEntry
        const layer = layers.shift()
        if (!layer) return undefined
        slots = layer.slots(incoming)
      }
    }
    const open = async (keys: KeyIndex<RequestEntry>): Promise<RequestEntry | undefined> => {
      // It stood where the first of its handlers does: they belong here and further on.
      slots.push(...(await keys.candidates(incoming)))
      slots.sort((a, b) => a.position - b.position)
      return next()
    }
    return { next }
  }

  /** Layers of their own that begin with what these hold now: what changes there stays there. */
  fork(): HandlerLayers {
    const entries = this.entries()
    const fork = new HandlerLayers([])
    fork.#ids = this.#ids
    fork.#initial.prepend(entries.map((entry) => entry.handler))
    for (const [place, { enabled, override }] of entries.entries()) {
      Object.assign(fork.#initial.entries[place] as LayerEntry, { enabled, override })
    }
    return fork
  }

  /** Calls a function after every change of what the layers hold. Returns what ends that. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  #layers(): Layer[] {
    return [this.#runtime, ...this.#scoped.map(({ layer }) => layer), this.#initial]
  }

  #createLayer(name: LayerName, handlers: readonly Handler[] = []): Layer {
    const layer = new Layer(name, () => (this.#ids.last += 1))
    layer.prepend(handlers)
    return layer
  }

  #changed(): void {
    for (const listener of this.#listeners) listener()
  }
}
