export {
  handleRequest,
  type HandleRequestOptions,
  type HandlersExecutionResult,
  type RequestEmitter,
} from './msw/handle-request.ts'
export { onUnhandledRequest } from './msw/on-unhandled-request.ts'
export { SetupApi, type HandlersController } from './msw/setup-api.ts'
