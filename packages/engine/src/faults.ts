export { withFault } from './core/responses/with-fault.ts'
export type { BodyFault, MalformedChunk, SlowChunks, TruncatedBody } from './core/responses/with-fault.ts'
