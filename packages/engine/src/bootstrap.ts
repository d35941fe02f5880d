export { createMocking, type HandlersModule, type Mocking, type MockingOptions } from './browser/mocking.ts'
