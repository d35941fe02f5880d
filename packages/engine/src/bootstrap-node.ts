export { createServerMocking, type ServerMocking, type ServerMockingOptions } from './node/server-mocking.ts'
