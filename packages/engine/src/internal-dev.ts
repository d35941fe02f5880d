export { failure, withCode, type ErrorCode, type UnderstudyError } from './core/failure.ts'
export { createBootstrapModule, linkPanel, type BootstrapParts } from './dev/bootstrap-module.ts'
export { describeLeak } from './dev/describe-leak.ts'
export { findEntries } from './dev/find-entries.ts'
export { findHandlers, listHandlersPaths, type HandlersFile } from './dev/find-handlers.ts'
export { createPackagesPlugin } from './dev/find-packages.ts'
export { isInstalled } from './dev/is-installed.ts'
export type { ModuleFile } from './dev/find-module.ts'
export type { AppPages } from './core/network/document-request.ts'
export {
  checkOptions,
  checkStrategy,
  readOptions,
  type OptionCheck,
  type PanelOptions,
  type PluginOptions,
  type ResolvedOptions,
} from './dev/options.ts'
export {
  describeBlockedGate,
  describeMissingGate,
  readScriptPolicy,
  type GateForm,
  type ScriptPolicy,
} from './dev/script-policy.ts'
export { readGateScript, readWebWorkerScript, readWorkerScript, selfRemovingWorker } from './dev/scripts.ts'
export { serveScript } from './dev/serve-script.ts'
export {
  addWrittenPlaces,
  findHandlerCalls,
  importsEngine,
  type HandlerCall,
  type TextPosition,
} from './dev/written-places.ts'
export { serializeParsedBody } from './server/parsed-body.ts'
export { socketPath } from './worker/protocol.ts'
