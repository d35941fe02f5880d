/** Understudy's exports for the relative imports of MSW's unit tests. */
export * from '@understudy/msw'
export { setupWorker } from '@understudy/msw/browser'
