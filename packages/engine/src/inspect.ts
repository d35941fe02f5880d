export { inspect, type InspectedScenarios, type Inspection, type Snapshot } from './inspect/inspect.ts'
export type { InspectedHandler } from './inspect/inspect-handlers.ts'
export type { InspectedState } from './inspect/exported-state.ts'
export type { InspectedBodies } from './inspect/kept-bodies.ts'
export type { InspectedBody } from './inspect/kept-body.ts'
export { connectInspections, type InspectionConnection } from './inspect/connect-inspections.ts'
export type { RemoteInspection, RemoteState } from './inspect/remote-inspection.ts'
export type { LoggedConnection, LoggedFrame } from './inspect/connection-log.ts'
export { keysOfHandlers } from './inspect/handler-keys.ts'
export { toInspectionPort, type InspectionPort, type MessageTarget } from './inspect/inspection-port.ts'
export type { EarlierPage, HandlerLabel, NetworkInfo, RequestDetails } from './inspect/shared-data.ts'
export type { RecordingMode } from './inspect/recording.ts'
export { panelChannel } from './inspect/share-page.ts'
export { shareServer } from './inspect/share-server.ts'
export { shareInspection, type SharedInspection, type ShareOptions } from './inspect/share-inspection.ts'
export type {
  ForcedResponse,
  HeaderList,
  InspectedHeaders,
  LoggedHandler,
  LoggedRequest,
} from './inspect/request-log.ts'
export type { SearchMatch, SearchPlace, SearchResult } from './inspect/search-details.ts'
export type { Override } from './core/handlers/override.ts'
