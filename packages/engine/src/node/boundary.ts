import { AsyncLocalStorage } from 'node:async_hooks'

import type { HandlerLayers } from '../core/handlers/handler-layers.ts'
import { chooseHandlerStates, type HandlerStates } from '../core/handlers/handler-state.ts'
import { isRequestHandler } from '../core/handlers/request-handler.ts'
import type { Network } from '../core/network/network.ts'

/** The state inside a boundary, separate from the rest of the program. */
interface Boundary {
  readonly layers: ReadonlyMap<Network, HandlerLayers>
  /** The state of `once` handlers and of generators in this boundary. */
  readonly states: HandlerStates
}

const boundaries = new AsyncLocalStorage<Boundary>()

/** Returns the layers of a network in the current boundary; `undefined` outside boundaries. */
export function layersWithin(network: Network): HandlerLayers | undefined {
  return boundaries.getStore()?.layers.get(network)
}

/** Runs a function, and all asynchronous work that it starts, in a boundary of a network. */
export function runWithin<Result>(network: Network, callback: () => Result): Result {
  const { layers } = network
  const states: HandlerStates = new WeakMap()
  for (const { handler } of layers.entries()) {
    if (isRequestHandler(handler)) states.set(handler, { ...handler['~state'] })
  }
  const outer = boundaries.getStore()?.layers ?? []
  const fork = layers.fork()
  network.scenarios?.copyTo(fork)
  chooseHandlerStates(() => boundaries.getStore()?.states)
  return boundaries.run({ layers: new Map([...outer, [network, fork]]), states }, callback)
}
