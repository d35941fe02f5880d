import { AsyncLocalStorage } from 'node:async_hooks'

import { HandlerLayers } from '../core/handlers/handler-layers.ts'
import { chooseHandlerStates, type HandlerState, type HandlerStates } from '../core/handlers/handler-state.ts'
import { isRequestHandler } from '../core/handlers/request-handler.ts'
import type { Network } from '../core/network/network.ts'

/** The state inside a boundary, separate from the rest of the program. */
interface Boundary {
  readonly layers: ReadonlyMap<Network, HandlerLayers>
  readonly states: HandlerStates
}

const boundaries = new AsyncLocalStorage<Boundary>()

/** The state of `once` handlers and of generators in a boundary. Handlers of other networks keep the state that they have outside. */
class BoundaryStates implements HandlerStates {
  readonly #layers: HandlerLayers
  readonly #outer: HandlerStates | undefined
  readonly #states = new WeakMap<object, HandlerState>()

  /** @param layers the layers inside the boundary */
  constructor(layers: HandlerLayers, outer: HandlerStates | undefined) {
    this.#layers = layers
    this.#outer = outer
    for (const { handler } of layers.entries()) if (isRequestHandler(handler)) this.#copy(handler, handler['~state'])
  }

  of(handler: object, own: HandlerState): HandlerState {
    const known = this.#states.get(handler)
    if (known) return known
    // Code inside the boundary may have added the handler.
    const isOfNetwork = this.#layers.entries().some((entry) => entry.handler === handler)
    return isOfNetwork ? this.#copy(handler, own) : (this.#outer?.of(handler, own) ?? own)
  }

  #copy(handler: object, state: HandlerState): HandlerState {
    const copy = { ...state }
    this.#states.set(handler, copy)
    return copy
  }
}

/** Returns the layers of a network in the current boundary; `undefined` outside boundaries. */
export function layersWithin(network: Network): HandlerLayers | undefined {
  return boundaries.getStore()?.layers.get(network)
}

/** Runs a function, and all asynchronous work that it starts, in a boundary of a network. */
export function runWithin<Result>(network: Network, callback: () => Result): Result {
  const outer = boundaries.getStore()
  const layers = copyLayers(network.layers)
  network.scenarios?.copyTo(layers)
  const states = new BoundaryStates(layers, outer?.states)
  chooseHandlerStates(() => boundaries.getStore()?.states)
  return boundaries.run({ layers: new Map([...(outer?.layers ?? []), [network, layers]]), states }, callback)
}

/** Copies layers into one. Changes of the copy do not affect them. */
function copyLayers(layers: HandlerLayers): HandlerLayers {
  const entries = layers.entries()
  const copy = new HandlerLayers(
    entries.map(({ handler }) => handler),
    layers.ids,
  )
  for (const [position, entry] of copy.entries().entries()) {
    const { enabled, override } = entries[position] ?? entry
    Object.assign(entry, { enabled, override })
  }
  return copy
}
