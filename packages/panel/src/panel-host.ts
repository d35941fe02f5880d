import type { InspectedHandler, Override, RemoteState, RequestDetails } from '@understudy/engine/inspect'

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
  /** Headers and bodies of a request. */
  details(requestId: string): Promise<RequestDetails>
  /** Opens a place in the developer's editor. Where it is missing, places are text and no buttons. */
  openInEditor?: ((place: SourcePlace) => void) | undefined
}
