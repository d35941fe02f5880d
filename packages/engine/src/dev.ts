export { createBootstrapModule, type BootstrapParts } from './dev/bootstrap-module.ts'
export { findHandlers, handlersPlaces, type HandlersFile } from './dev/find-handlers.ts'
export { readOptions, type PluginOptions, type ResolvedOptions } from './dev/options.ts'
export { readGateScript, readWorkerScript, selfRemovingWorker } from './dev/scripts.ts'
