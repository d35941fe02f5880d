export { server } from './vitest/running-server.ts'
export type { TestServer } from './vitest/test-server.ts'
export type { SeenRequest } from './vitest/seen-request.ts'
