import { isPromise } from '../is-promise.ts'
import { RouteTable, type RouteTableEntry } from '../routing/route-table.ts'
import type { HandlerLayers, Layer, LayerEntry } from './handler-layers.ts'
import type { IncomingRequest } from './incoming-request.ts'
import { KeyIndex } from './key-index.ts'
import type { Protocol } from './protocol.ts'
import { isRequestHandler, type RequestHandler } from './request-handler.ts'

type RequestEntry = LayerEntry<RequestHandler>

/** The properties of a request that decide which routes it could match. */
type RoutedRequest = Pick<IncomingRequest, 'method' | 'url' | 'baseUrl'>

/** Returns the next handler to ask; a promise if the body must be read first. An async generator would wait at each step. */
type Candidate = RequestEntry | undefined | Promise<RequestEntry | undefined>

/**
 * Returns whether a handler of a network could answer a request, by the routes only.
 *
 * @param method upper case
 */
export function couldAnswer(
  { layers, baseUrl }: { readonly layers: HandlerLayers; readonly baseUrl: string | undefined },
  method: string,
  url: URL,
): boolean {
  const request = { method, url, baseUrl }
  return layers.layers().some((layer) => slotsOf(layer, request).length > 0)
}

/** Iterates over the request handlers that could answer a request, in the order in which they answer. */
export class Candidates {
  readonly #incoming: IncomingRequest
  readonly #layers: readonly Layer[]
  /** The index in {@link #layers} of the next layer. */
  #nextLayer = 0
  #slots: readonly RouteTableEntry<Slot>[] = none
  /** The position in {@link #slots} of the next slot. */
  #position = 0

  constructor(handlers: HandlerLayers, incoming: IncomingRequest) {
    this.#incoming = incoming
    this.#layers = handlers.layers()
  }

  next(): Candidate {
    for (;;) {
      const slot = this.#slots[this.#position]
      if (!slot) {
        const layer = this.#layers[this.#nextLayer]
        if (!layer) return undefined
        this.#nextLayer += 1
        this.#slots = slotsOf(layer, this.#incoming)
        this.#position = 0
        continue
      }
      const { value } = slot
      if (!(value instanceof KeyIndex)) {
        this.#position += 1
        return value
      }
      const opened = value.candidates(this.#incoming)
      if (isPromise(opened)) return opened.then(() => this.next())
      this.#position += 1
      this.#add(opened)
    }
  }

  /** Adds what a group contains. The group has the position of its first handler. Its other handlers come at later positions. */
  #add(entries: readonly RouteTableEntry<RequestEntry>[]): void {
    const others = this.#slots.slice(this.#position)
    this.#slots = [...others, ...entries].sort((a, b) => a.position - b.position)
    this.#position = 0
  }
}

const none: readonly never[] = []

/** Returns what a request could match by its route, in order. */
function slotsOf(layer: Layer, { method, url, baseUrl }: RoutedRequest): readonly RouteTableEntry<Slot>[] {
  const { entries } = layer
  if (entries.length === 0) return none
  if (!(layer.index instanceof LayerIndex) || layer.index.baseUrl !== baseUrl) layer.index = new LayerIndex(baseUrl)
  const index = layer.index as LayerIndex
  index.update(entries)
  return index.find(method, url)
}

/** An item of a layer's table: a handler, or the handlers of one route and protocol with a key. */
type Slot = RequestEntry | KeyIndex<RequestEntry>

/**
 * Indexes a layer by the requests that its handlers could match. Handlers that are added in front get lower positions than
 * the existing ones, so that none is indexed twice.
 */
class LayerIndex {
  readonly baseUrl: string | undefined
  readonly #table: RouteTable<Slot> = new RouteTable()
  #size = 0
  /** The last lookup: `fetch` in Node asks whether any handler could match, and the decision then asks for the handlers. */
  #last: { href: string; method: string; slots: readonly RouteTableEntry<Slot>[] } | undefined

  constructor(baseUrl: string | undefined) {
    this.baseUrl = baseUrl
  }

  /** Indexes the entries that were added in front since the last call. */
  update(entries: readonly LayerEntry[]): void {
    const { length } = entries
    if (length === this.#size) return
    this.#last = undefined
    const indexes = new Map<Protocol, Map<string, KeyIndex<RequestEntry>>>()
    for (const [offset, entry] of entries.slice(0, length - this.#size).entries()) {
      if (isRequestEntry(entry)) this.#add(entry, offset - length, indexes)
    }
    this.#size = length
  }

  /** Returns what a request could match by its route, in order. */
  find(method: string, url: URL): readonly RouteTableEntry<Slot>[] {
    const { href } = url
    const last = this.#last
    if (last?.href === href && last.method === method) return last.slots
    const slots = this.#table.candidates(method, url)
    this.#last = { href, method, slots }
    return slots
  }

  #add(entry: RequestEntry, position: number, indexes: Map<Protocol, Map<string, KeyIndex<RequestEntry>>>): void {
    const { protocol, key } = entry.handler
    const route = entry.handler.route(this.baseUrl)
    if (!protocol || key === undefined) {
      this.#table.add(route, position, entry)
      return
    }
    const byRoute = indexes.get(protocol) ?? new Map<string, KeyIndex<RequestEntry>>()
    indexes.set(protocol, byRoute)
    const shape = JSON.stringify(route)
    let keyed = byRoute.get(shape)
    if (!keyed) {
      byRoute.set(shape, (keyed = new KeyIndex(protocol)))
      this.#table.add(route, position, keyed)
    }
    keyed.add(key, position, entry)
  }
}

function isRequestEntry(entry: LayerEntry): entry is RequestEntry {
  return isRequestHandler(entry.handler)
}
