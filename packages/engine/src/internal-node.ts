export { setAroundCalls, type AroundCalls } from './node/around-calls.ts'
export { createServerMocking, type ServerMocking, type ServerMockingOptions } from './node/server-mocking.ts'
export { createRenderMocking, type RenderMocking, type RenderMockingOptions } from './node/render-mocking.ts'
