export { createMiddleware, type Middleware, type MiddlewareOptions } from './server/create-middleware.ts'
export { listen, type ListeningServer, type ServerOptions } from './server/listen.ts'
