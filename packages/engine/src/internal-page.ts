export { createMocking, type HandlersModule, type Mocking, type MockingOptions } from './browser/start/mocking.ts'
export { createWorker, type SetupWorker } from './browser/start/setup-worker.ts'
export { getGate, type Replacements, type Gate } from './browser/gate/gate.ts'
export { createAbortController } from './core/abort-controller.ts'
export { failure, print, withCode, type ErrorCode, type UnderstudyError } from './core/failure.ts'
export { describe } from './core/describe.ts'
export { couldAnswer } from './core/handlers/candidates.ts'
export { checkHandlers, isHandler } from './core/handlers/check-handlers.ts'
export type { HandlerLayers, LayerToken } from './core/handlers/handler-layers.ts'
export { pickHandlers, type HandlersExport } from './core/handlers/pick-handlers.ts'
export { isRequestHandler } from './core/handlers/request-handler.ts'
export { isPromise } from './core/is-promise.ts'
export { ClientAbort } from './core/network/client-abort.ts'
export { Network } from './core/network/network.ts'
export type { Decision } from './core/network/outcome.ts'
export { isCommonAssetRequest } from './core/unhandled/is-common-asset-request.ts'
export {
  readUnhandledPolicy,
  type UnhandledPolicy,
  type UnhandledRequestCallback,
  type UnhandledRequestStrategy,
} from './core/unhandled/unhandled-request.ts'
export type { Route } from './core/routing/route.ts'
export { loadScenarioSwitch } from './core/scenarios/load-scenario-switch.ts'
