import type {
  InspectedHandler,
  Override,
  RecordingMode,
  RemoteState,
  RequestDetails,
  SearchResult,
} from '@understudy/engine/inspect'

import type { Exchange, SaveMode, SavePreview } from './save/exchange.ts'

/** Saves handlers in the handlers file: shows the edit, writes it, and undoes it. */
export interface HandlerSaver {
  /** @param mode `null`: what the dev server suggests */
  preview: (exchange: Exchange, path: string | null, mode: SaveMode | null) => Promise<SavePreview>
  /** Adds several handlers in one edit. The exchanges are the oldest first. */
  previewAll: (exchanges: readonly Exchange[], path: string | null) => Promise<SavePreview>
  write: (id: string) => Promise<void>
  undo: (id: string) => Promise<void>
}

/** What the panel shows: a snapshot, and what else is known of the network. */
export type PanelState = RemoteState

/** Where a handler was written. */
export type SourcePlace = NonNullable<InspectedHandler['origin']>

/**
 * A running network, as the panel sees it: the one thing that differs between a page, Storybook and whatever comes.
 * A `RemoteInspection` of `@understudy/engine/inspect` is one.
 *
 * @example
 * const connection = connectInspections(toInspectionPort(new BroadcastChannel('understudy')))
 * const [host] = connection.getNetworks()
 */
export interface PanelHost {
  /** The same object until something changes. `null`: nothing was heard yet. */
  getState(): PanelState | null
  /** Calls a listener after changes. Returns what ends that. */
  subscribe(listener: () => void): () => void
  setEnabled(handlerId: number, enabled: boolean): Promise<void>
  /** Forces a status, a delay (milliseconds) or a network error on a handler; `null` takes that back. */
  override(handlerId: number, override: Override | null): Promise<void>
  /** Forgets requests, hits, overrides and switches. */
  reset(): Promise<void>
  /** Forgets the logs of earlier pages, and keeps no request until now for the next page. Optional. */
  clearLog?: (() => Promise<void>) | undefined
  /** Keeps the log after a reload, or not. If it is missing, there is no switch for it. */
  preserveLog?: ((isOn: boolean) => Promise<void>) | undefined
  /** Headers and bodies of a request, or the messages of a connection, by its id. */
  details(requestId: string): Promise<RequestDetails>
  /**
   * Searches headers and bodies of requests, and the messages of connections. If it is missing, the filter searches only
   * the rows.
   */
  search?: ((ids: readonly string[], words: readonly string[]) => Promise<readonly SearchResult[]>) | undefined
  /** Activates scenarios in place of the active ones. If it is missing, the panel does not show scenarios. */
  scenario?: ((names: readonly string[]) => Promise<void>) | undefined
  /** Records requests; `null` ends it. If it is missing, there is no switch for it. */
  record?: ((mode: RecordingMode | null) => Promise<void>) | undefined
  /**
   * Sends the app a message on a WebSocket connection, or an event on an event stream, as if the server had sent it. If
   * it is missing, there is no field for it.
   */
  send?: ((id: string, data: string, event?: string) => Promise<void>) | undefined
  /** Finds out where places were written. If it is missing, places are shown as they are. */
  locate?: ((places: readonly SourcePlace[]) => Promise<readonly (SourcePlace | null)[]>) | undefined
  /** Opens a place in the developer's editor. Where it is missing, places are text and no buttons. */
  openInEditor?: ((place: SourcePlace) => void) | undefined
  /**
   * Renders the story again, so that its first requests get what was forced. If it is missing, the panel does not offer
   * it.
   */
  remount?: (() => void) | undefined
  /** Saves responses as handlers. If it is missing, the panel has no button for that. */
  saver?: HandlerSaver | undefined
}
