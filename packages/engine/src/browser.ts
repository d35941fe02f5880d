export { setupWorker, type SetupWorker } from './browser/setup-worker.ts'
export type { StartOptions } from './browser/start-options.ts'
export type { SetupWorker as SetupWorkerApi } from './browser/setup-worker.ts'
export type { FindWorker } from './browser/worker-registration.ts'
