import type { Override } from '../core/handlers/override.ts'
import type { Snapshot } from './inspect.ts'
import type { Command, NetworkMessage } from './inspection-messages.ts'
import type { RecordingMode } from './recording.ts'
import type { SearchResult } from './search-details.ts'
import type { EarlierPage, NetworkInfo, RequestDetails } from './shared-data.ts'

/** A network's snapshot with additional data. */
export interface RemoteState extends Snapshot {
  readonly info: NetworkInfo
  /** The logs of the tab's earlier pages, the latest first. Missing if the network does not keep such logs. */
  readonly earlier?: readonly EarlierPage[]
}

/** A network in another page or process. `Inspection` is the same for a network in this one. */
export interface RemoteInspection {
  readonly id: string
  /** The same object until something changes. */
  getState(): RemoteState
  /** Calls a listener after changes. Returns a function that ends this. */
  subscribe(listener: () => void): () => void
  /** @throws {UnderstudyError} if no handler has this id, or the network is gone */
  setEnabled(id: number, enabled: boolean): Promise<void>
  /** @throws {UnderstudyError} if no handler has this id, the override is not valid, or the network is gone */
  override(id: number, override: Override | null): Promise<void>
  /**
   * Replaces the active scenarios.
   *
   * @throws {UnderstudyError} if there is no scenario with a name, or the network is gone
   */
  scenario(names: readonly string[]): Promise<void>
  /**
   * Reads a part of the state, as `Inspection.readState` does.
   *
   * @throws {UnderstudyError} as there, or if the network is gone
   */
  readState(name: string): Promise<string>
  /**
   * Replaces a part of the state, as `Inspection.writeState` does.
   *
   * @throws {UnderstudyError} as there, or if the network is gone
   */
  writeState(name: string, text: string): Promise<void>
  /**
   * Restores the initial value of a part of the state, as `Inspection.resetState` does.
   *
   * @throws {UnderstudyError} as there, or if the network is gone
   */
  resetState(name: string): Promise<void>
  /**
   * Records requests, as `Inspection.record` does, until no panel is connected.
   *
   * @throws {UnderstudyError} if the network is gone
   */
  record(mode: RecordingMode | null): Promise<void>
  /** @throws {UnderstudyError} if the network is gone */
  reset(): Promise<void>
  /**
   * Deletes the logs of the earlier pages. The requests until now are not kept for the next page.
   *
   * @throws {UnderstudyError} if the network is gone
   */
  clearLog(): Promise<void>
  /**
   * Sets whether the log is kept for the next pages of this origin.
   *
   * @throws {UnderstudyError} if the network is gone
   */
  preserveLog(isOn: boolean): Promise<void>
  /**
   * Sends the app a message on a WebSocket connection, or an event on an event stream.
   *
   * @param id the id of the connection, or of the request of the stream
   * @param event the type of the event; default: `'message'`
   * @throws {UnderstudyError} if the connection or the stream is not open, or the network is gone
   */
  send(id: string, data: string, event?: string): Promise<void>
  /**
   * Returns the headers and bodies of a request, or the frames of a connection, by its id. Bodies are kept while a
   * panel is connected.
   */
  details(requestId: string): Promise<RequestDetails>
  /**
   * Searches the headers and kept bodies of requests, and the messages of connections, for words. Case does not matter.
   *
   * @param ids of requests and connections
   * @returns one result for each id, in the same order
   * @throws {UnderstudyError} if the network is gone
   */
  search(ids: readonly string[], words: readonly string[]): Promise<readonly SearchResult[]>
}

/** The answer of a network to a command. */
export type Answer = Extract<NetworkMessage, { type: 'answer' }>

/** A network as the connection knows it. */
export interface KnownNetwork {
  /** The last state that the network sent. */
  state: RemoteState
  /** The functions to call after changes. */
  readonly listeners: Set<() => void>
}

/**
 * Creates the inspection of a network with an id.
 *
 * @param call sends a command to the network. Rejects if the network is gone, or cannot carry it out
 */
export function createRemoteInspection(
  id: string,
  read: () => KnownNetwork,
  call: (network: string, command: Command) => Promise<Answer>,
): RemoteInspection {
  return {
    id,
    getState: () => read().state,
    subscribe(listener) {
      read().listeners.add(listener)
      return () => void read().listeners.delete(listener)
    },
    async setEnabled(handler, enabled) {
      await call(id, { name: 'setEnabled', id: handler, enabled })
    },
    async override(handler, override) {
      await call(id, { name: 'override', id: handler, override })
    },
    async scenario(names) {
      await call(id, { name: 'scenario', names })
    },
    async readState(part) {
      const { text = '' } = await call(id, { name: 'readState', part })
      return text
    },
    async writeState(part, text) {
      await call(id, { name: 'writeState', part, text })
    },
    async resetState(part) {
      await call(id, { name: 'resetState', part })
    },
    async record(mode) {
      await call(id, { name: 'record', mode })
    },
    async reset() {
      await call(id, { name: 'reset' })
    },
    async clearLog() {
      await call(id, { name: 'clearLog' })
    },
    async preserveLog(isOn) {
      await call(id, { name: 'preserveLog', isOn })
    },
    async send(connectionId, data, event) {
      await call(id, { name: 'send', connectionId, data, ...(event && { event }) })
    },
    async details(requestId) {
      const { details } = await call(id, { name: 'details', requestId })
      return details ?? { headers: null, bodies: { request: null, response: null }, frames: [] }
    },
    async search(ids, words) {
      const { results = [] } = await call(id, { name: 'search', ids, words })
      return results
    },
  }
}
