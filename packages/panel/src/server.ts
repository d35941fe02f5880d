export type { ConnectMiddleware, ServerAnswer, ServerRequest } from './server/connect-middleware.ts'
export { createPanelMiddleware, type PanelMiddlewareOptions } from './server/create-panel-middleware.ts'
export type { LocatedPlace, SourcePlace } from './server/located-place.ts'
export { isOfOtherOrigin } from './server/request-checks.ts'
