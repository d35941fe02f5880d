export { setupWorker, type SetupWorker } from './browser/start/setup-worker.ts'
export type { StartOptions } from './browser/start/start-options.ts'
export type { SetupWorker as SetupWorkerApi } from './browser/start/setup-worker.ts'
export type { FindWorker } from './browser/service-worker/worker-registration.ts'
