/** What MSW's unit tests import by relative paths, as Understudy exports it. */
export * from '@understudy/msw'
export { setupWorker } from '@understudy/msw/browser'
