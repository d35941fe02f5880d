export { inspect, type InspectedHandler, type Inspection, type Snapshot } from './inspect/inspect.ts'
export type { InspectedBodies, InspectedBody } from './inspect/kept-bodies.ts'
export type { LoggedRequest } from './inspect/request-log.ts'
export type { Override } from './core/handlers/override.ts'
