export { setupServer, type ListenOptions, type Server } from './node/setup-server.ts'
export type { Server as SetupServer, Server as SetupServerApi } from './node/setup-server.ts'
