export { setupWorker, type SetupWorker, type StartOptions } from './browser/setup-worker.ts'
export type { SetupWorker as SetupWorkerApi } from './browser/setup-worker.ts'
export type { FindWorker } from './browser/worker-registration.ts'
