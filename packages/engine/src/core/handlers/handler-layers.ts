import { Listeners } from '../listeners.ts'
import type { AppliedOverride } from './override.ts'
import { isRequestHandler, type Handler } from './request-handler.ts'
import { resetAllProgress, resetProgress } from './resolver-progress.ts'

/** The layer of a handler in a network. */
export type LayerName = 'initial' | 'scoped' | 'runtime'

/** A handler in a layer. The same handler may be in several networks; the counts here belong to this network. */
export interface LayerEntry<Kind extends Handler = Handler> {
  /** Identifies the entry in this network. */
  readonly id: number
  readonly handler: Kind
  readonly layer: LayerName
  /** A disabled handler does not answer. */
  enabled: boolean
  /** The number of requests that the handler answered. */
  hits: number
  override: AppliedOverride | undefined
}

/** The owner of a scoped layer. Only the owner removes it. */
export type LayerToken = object | symbol | string

/**
 * Entries that were added together. A batch never changes: when one of its entries is switched on or off, another batch
 * replaces it. So code that has read a batch may cache what it contains.
 */
export interface Batch {
  readonly entries: readonly LayerEntry[]
}

/** One list of handlers. Handlers are only added, in front of the existing ones. */
export class Layer {
  /** The index of {@link entries} by route, which `Candidates` creates. A page loads that code later. */
  index: unknown = undefined
  readonly #name: LayerName
  #entries: LayerEntry[] = []
  #batches: readonly Batch[] = []
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

  /** Adds handlers in front of the existing ones, in their order. */
  prepend(handlers: readonly Handler[]): void {
    const added = handlers.map((handler): LayerEntry => ({
      id: this.#nextId(),
      handler,
      layer: this.#name,
      enabled: true,
      hits: 0,
      override: undefined,
    }))
    this.#entries = [...added, ...this.#entries]
    if (added.length > 0) this.#batches = [{ entries: added }, ...this.#batches]
  }

  /** Replaces the batches that contain one of these entries. */
  renew(changed: ReadonlySet<LayerEntry>): void {
    this.#batches = this.#batches.map((batch) =>
      batch.entries.some((entry) => changed.has(entry)) ? { entries: batch.entries } : batch,
    )
  }
}

function isSameList(entries: readonly LayerEntry[], handlers: readonly Handler[]): boolean {
  return entries.length === handlers.length && entries.every(({ handler }, position) => handler === handlers[position])
}

/** Ends the work that handlers have in progress. A handler that is added again later starts from the beginning. */
function forget(layer: Layer, kept: readonly Handler[] = []): void {
  const staying = new Set(kept)
  for (const { handler } of layer.entries) if (!staying.has(handler)) restart(handler)
}

function restart(handler: Handler): void {
  handler.isUsed = false
  if (isRequestHandler(handler)) resetProgress(handler)
}

/**
 * The handlers of a network, in layers. Runtime handlers answer first, then scoped ones, then initial ones.
 */
export class HandlerLayers {
  /** The last id. Copies of the layers share it, so that an id is unique in the network. */
  readonly ids: { last: number }
  #initial: Layer
  #runtime: Layer
  /** In the order in which they answer: the last installed first. */
  #scoped: { token: LayerToken; layer: Layer }[] = []
  /** All layers, in the order in which they answer. Replaced, never mutated, because a request may be iterating over it. */
  #layers: readonly Layer[]
  readonly #changes: Listeners = new Listeners()

  constructor(initial: readonly Handler[], ids: { last: number } = { last: 0 }) {
    this.ids = ids
    this.#initial = this.#createLayer('initial', initial)
    this.#runtime = this.#createLayer('runtime')
    this.#layers = this.#inOrder()
  }

  /** Adds runtime handlers in front of all others. */
  use(handlers: readonly Handler[]): void {
    this.#runtime.prepend(handlers)
    this.#changes.call()
  }

  /**
   * Removes runtime handlers. A list also replaces the initial ones. The generators of the remaining handlers start again:
   * otherwise, a test would continue where the previous test left them.
   */
  reset(initial: readonly Handler[] = []): void {
    if (initial.length > 0) {
      forget(this.#initial)
      this.#initial = this.#createLayer('initial', initial)
    }
    if (initial.length > 0 || this.#runtime.entries.length > 0) {
      forget(this.#runtime)
      this.#runtime = this.#createLayer('runtime')
      this.#layersChanged()
    }
    resetAllProgress(() =>
      this.entries()
        .map(({ handler }) => handler)
        .filter(isRequestHandler),
    )
  }

  /** Replaces only the initial handlers, for a hot update. */
  replaceInitial(initial: readonly Handler[]): void {
    forget(this.#initial, initial)
    this.#initial = this.#createLayer('initial', initial)
    this.#layersChanged()
  }

  /** Lets `once` handlers answer again. */
  restore(): void {
    let isChanged = false
    for (const { handler } of this.entries()) {
      if (!isRequestHandler(handler) || !handler.once) continue
      isChanged ||= handler.isUsed
      restart(handler)
    }
    if (isChanged) this.#changes.call()
  }

  /** Adds a scoped layer. If the token has a layer, replaces it at its position, or keeps it if its handlers are the same. */
  install(token: LayerToken, handlers: readonly Handler[]): void {
    const existing = this.#scoped.find((scoped) => scoped.token === token)
    if (existing && isSameList(existing.layer.entries, handlers)) return
    const layer = this.#createLayer('scoped', handlers)
    if (existing) {
      forget(existing.layer, handlers)
      existing.layer = layer
    } else this.#scoped.unshift({ token, layer })
    this.#layersChanged()
  }

  /** Removes the layer of a token. A token without a layer is not an error. */
  remove(token: LayerToken): void {
    const removed = this.#scoped.find((scoped) => scoped.token === token)
    if (!removed) return
    forget(removed.layer)
    this.#scoped = this.#scoped.filter((scoped) => scoped !== removed)
    this.#layersChanged()
  }

  /** Changes entries, and notifies listeners. */
  change(entries: readonly LayerEntry[], to: Partial<Pick<LayerEntry, 'enabled' | 'hits' | 'override'>>): void {
    for (const entry of entries) Object.assign(entry, to)
    if (to.enabled !== undefined) {
      const changed = new Set(entries)
      for (const layer of this.layers()) layer.renew(changed)
    }
    this.#changes.call()
  }

  /** Returns all entries, in the order in which they answer. */
  entries(): LayerEntry[] {
    return this.layers().flatMap((layer) => layer.entries)
  }

  /** Returns all entries, grouped in batches, in no particular order. */
  batches(): Batch[] {
    return this.layers().flatMap((layer) => layer.batches)
  }

  /** Calls a function after each change of the handlers. Returns a function that ends this. */
  onChange(listener: () => void): () => void {
    return this.#changes.add(listener)
  }

  /** Returns the layers, in the order in which they answer. */
  layers(): readonly Layer[] {
    return this.#layers
  }

  #inOrder(): readonly Layer[] {
    return [this.#runtime, ...this.#scoped.map(({ layer }) => layer), this.#initial]
  }

  #layersChanged(): void {
    this.#layers = this.#inOrder()
    this.#changes.call()
  }

  #createLayer(name: LayerName, handlers: readonly Handler[] = []): Layer {
    const layer = new Layer(name, () => (this.ids.last += 1))
    layer.prepend(handlers)
    return layer
  }
}
