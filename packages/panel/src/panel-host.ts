import type {
  InspectedHandler,
  Override,
  RecordingMode,
  RemoteState,
  RequestDetails,
  SearchResult,
} from '@understudy/engine/inspect'

import type { Exchange } from './handler-code/exchange.ts'
import type { ScenarioItem } from './handler-code/scenario-item.ts'
import type { SaveMode, SavePreview } from './save/save-request.ts'

/** Saves handlers in the handlers file: shows the edit, writes it, and undoes it. */
export interface HandlerSaver {
  /** @param mode `null`: what the dev server suggests */
  preview: (exchange: Exchange, path: string | null, mode: SaveMode | null) => Promise<SavePreview>
  /** Adds several handlers in one edit. The exchanges are the oldest first. */
  previewAll: (exchanges: readonly Exchange[], path: string | null) => Promise<SavePreview>
  /**
   * Writes overrides as a scenario. The items are in the order in which their handlers are tried. If it is missing, the panel
   * does not save scenarios.
   */
  previewScenario?: (name: string, items: readonly ScenarioItem[]) => Promise<SavePreview>
  write: (id: string) => Promise<void>
  undo: (id: string) => Promise<void>
}

/** The data that the panel shows: a snapshot with additional data of the network. */
export type PanelState = RemoteState

/** The source position of a handler. */
export type SourcePlace = NonNullable<InspectedHandler['origin']>

/**
 * A running network for the panel. A page and Storybook have different hosts. A `RemoteInspection` of
 * `@understudy/engine/inspect` is a host.
 *
 * @example
 * const connection = connectInspections(toInspectionPort(new BroadcastChannel('understudy')))
 * const [host] = connection.getNetworks()
 */
export interface PanelHost {
  /** The same object until something changes. `null`: the network has not sent its state yet. */
  getState(): PanelState | null
  /** Calls a listener after changes. Returns a function that ends this. */
  subscribe(listener: () => void): () => void
  setEnabled(handlerId: number, enabled: boolean): Promise<void>
  /** Forces a status, a delay (in milliseconds) or a network error on a handler. `null` removes the override. */
  override(handlerId: number, override: Override | null): Promise<void>
  /** Removes requests, hits and overrides, and enables all handlers. */
  reset(): Promise<void>
  /** Deletes the logs of earlier pages. The requests until now are not kept for the next page. Optional. */
  clearLog?: (() => Promise<void>) | undefined
  /** Sets whether the log is kept after a reload. If it is missing, there is no switch for it. */
  preserveLog?: ((isOn: boolean) => Promise<void>) | undefined
  /** Returns headers and bodies of a request, or the messages of a connection, by its id. */
  details(requestId: string): Promise<RequestDetails>
  /**
   * Searches headers and bodies of requests, and the messages of connections. If it is missing, the filter searches only
   * the rows.
   */
  search?: ((ids: readonly string[], words: readonly string[]) => Promise<readonly SearchResult[]>) | undefined
  /** Replaces the active scenarios. If it is missing, the panel does not show scenarios. */
  scenario?: ((names: readonly string[]) => Promise<void>) | undefined
  /** Reads a part of the state that the handlers module exports, as JSON. If it is missing, the panel does not show state. */
  readState?: ((name: string) => Promise<string>) | undefined
  /** Replaces a part of the state with JSON. If it is missing, the panel does not edit state. */
  writeState?: ((name: string, text: string) => Promise<void>) | undefined
  /** Restores the initial value of a part of the state. */
  resetState?: ((name: string) => Promise<void>) | undefined
  /** Records requests; `null` ends it. If it is missing, there is no switch for it. */
  record?: ((mode: RecordingMode | null) => Promise<void>) | undefined
  /**
   * Sends the app a message on a WebSocket connection, or an event on an event stream, as if the server had sent it. If
   * it is missing, there is no field for it.
   */
  send?: ((id: string, data: string, event?: string) => Promise<void>) | undefined
  /** Finds the source positions of places. If it is missing, places are shown unchanged. */
  locate?: ((places: readonly SourcePlace[]) => Promise<readonly (SourcePlace | null)[]>) | undefined
  /** Returns the source code around a place; `null` if it is unknown. If it is missing, errors have no code. */
  readExcerpt?: ((place: SourcePlace) => Promise<string | null>) | undefined
  /** Opens a place in the developer's editor. If it is missing, places are not buttons. */
  openInEditor?: ((place: SourcePlace) => void) | undefined
  /**
   * Renders the story again, so that its first requests get what was forced. If it is missing, the panel does not offer
   * it.
   */
  remount?: (() => void) | undefined
  /** Saves responses as handlers. If it is missing, the panel has no button for that. */
  saver?: HandlerSaver | undefined
}
