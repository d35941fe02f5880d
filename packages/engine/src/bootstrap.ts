export { createMocking, type HandlersModule, type Mocking, type MockingOptions } from './browser/mocking.ts'
export { createWorker, type SetupWorker } from './browser/setup-worker.ts'
export { getGate, type Carriers, type Gate } from './browser/gate/gate.ts'
export { failure, print } from './core/failure.ts'
export { checkHandlers, describe, isHandler } from './core/handlers/check-handlers.ts'
export type { HandlerLayers, LayerToken } from './core/handlers/handler-layers.ts'
export { pickHandlers, type HandlersExport } from './core/handlers/pick-handlers.ts'
export { isRequestHandler } from './core/handlers/request-handler.ts'
export { GivenUp } from './core/network/given-up.ts'
export { Network } from './core/network/network.ts'
export type { Decision } from './core/network/outcome.ts'
export { isCommonAssetRequest } from './core/network/is-common-asset-request.ts'
export {
  readUnhandledPolicy,
  type UnhandledPolicy,
  type UnhandledRequestCallback,
  type UnhandledRequestStrategy,
} from './core/network/unhandled-request.ts'
export type { Route } from './core/routing/route.ts'
