export { setupServer, type ListenOptions, type Server } from './native/setup-server.ts'
export type { Server as SetupServer, Server as SetupServerApi } from './native/setup-server.ts'
