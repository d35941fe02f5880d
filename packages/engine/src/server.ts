export { createFetchHandler, type FetchHandler, type FetchHandlerOptions } from './server/create-fetch-handler.ts'
