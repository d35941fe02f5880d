import { describe } from '../core/describe.ts'
import { failure, print } from '../core/failure.ts'
import type { LayerEntry } from '../core/handlers/handler-layers.ts'
import type { Override } from '../core/handlers/override.ts'
import type { HandlersControl, Network } from '../core/network/network.ts'
import type { Decision } from '../core/network/outcome.ts'
import { openStreams } from '../sse/open-streams.ts'
import { toAppliedOverride } from './apply-override.ts'
import { ConnectionLog, type LoggedConnection, type LoggedFrame } from './connection-log.ts'
import { listState, readState, resetState, writeState, type InspectedState } from './exported-state.ts'
import { watchFailures } from './failed-requests.ts'
import { createHandlerInspector, type InspectedHandler } from './inspect-handlers.ts'
import { KeptBodies, type InspectedBodies } from './kept-bodies.ts'
import { toPartDecision } from './part-decision.ts'
import { changeRecording, isRecorded, modeOf, type RecordingMode } from './recording.ts'
import { RequestLog, type InspectedHeaders, type LoggedRequest } from './request-log.ts'

/** The scenarios of a network, by their names. */
export interface InspectedScenarios {
  readonly names: readonly string[]
  /** Those that are active: the first one has precedence. */
  readonly active: readonly string[]
}

/** A network as plain data, which can be cloned, sent and stored. */
export interface Snapshot {
  /** In the order in which they answer. */
  readonly handlers: readonly InspectedHandler[]
  /** The last 500 requests since inspection began, the newest first. */
  readonly requests: readonly LoggedRequest[]
  /** The last 50 WebSocket connections that handlers took, the newest first. */
  readonly connections: readonly LoggedConnection[]
  /** Missing if the handlers module exports no scenarios. */
  readonly scenarios?: InspectedScenarios
  /** The parts of the state. Missing if the handlers module exports no `state`. */
  readonly state?: readonly InspectedState[]
  /** Which requests are recorded. Missing: none. */
  readonly recording?: RecordingMode
}

/** Shows the state of a network, and changes what a developer changes in the panel. */
export interface Inspection {
  /** Returns the current state. In a boundary of a server: the handlers of the boundary, and all requests. */
  snapshot(): Snapshot
  /** Returns the requests of a snapshot, without the cost of a whole one. The same array until a request changes. */
  listRequests(): readonly LoggedRequest[]
  /** Calls a listener after changes, once for several changes in a row. Returns a function that ends this. */
  subscribe(listener: (snapshot: Snapshot) => void): () => void
  /** The number of changes until now. Compare it with an earlier value to see whether something has changed. */
  readonly revision: number
  /** Calls a listener after changes, as {@link subscribe} does, without the cost of a snapshot. */
  onChange(listener: () => void): () => void
  /**
   * Keeps the beginnings of bodies from now on, including responses of the network. Without this call, no body is copied.
   * With it, bodies are read up to the limit as they arrive, even if the app does not read them. Above 32 MB in total,
   * the oldest bodies are cut to 65,536 bytes.
   *
   * @param limit bytes of each body; default: 65,536
   * @returns a function that ends this. Kept bodies stay until their requests are removed from the log
   */
  keepBodies(limit?: number): () => void
  /** Returns the headers of a request; `null` if it is no longer logged. */
  headers(requestId: string): InspectedHeaders | null
  /**
   * Returns the kept bodies of a request.
   *
   * @param limit bytes of each body; default: all that were kept
   */
  bodies(requestId: string, limit?: number): InspectedBodies
  /** Returns the last 200 messages of a WebSocket connection, the oldest first. */
  frames(connectionId: string): readonly LoggedFrame[]
  /**
   * Sends the app a message on a WebSocket connection, or an event on an event stream, as if the server had sent it.
   *
   * @param id the id of the connection, or of the request of the stream, which a handler of `sse()` answered
   * @param event the type of the event; default: `'message'`
   * @throws {UnderstudyError} if the connection or the stream is not open, or the type has several lines
   */
  send(id: string, data: string, event?: string): void
  /** @throws {UnderstudyError} if no handler has this id */
  setEnabled(id: number, enabled: boolean): void
  /**
   * Forces a status, headers, a body, a delay or a network error on a handler. `null` removes the override. The
   * resolver still runs. Headers and a body replace those of the handler's response.
   *
   * @throws {UnderstudyError} if no handler has this id, the status is outside 200–599, `Headers` rejects the
   * headers, or the delay is longer than a timer can wait
   */
  override(id: number, override: Override | null): void
  /**
   * Replaces the active scenarios.
   *
   * @throws {UnderstudyError} if there is no scenario with a name
   */
  scenario(names: readonly string[]): void
  /**
   * Reads a part of the state that the handlers module exports.
   *
   * @returns JSON
   * @throws {UnderstudyError} if there is no state of this name, it is not JSON, or it has more than 2,000,000 characters
   */
  readState(name: string): Promise<string>
  /**
   * Replaces a part of the state.
   *
   * @param text JSON
   * @throws {UnderstudyError} if there is no state of this name, it has no `write()`, or the text is not JSON
   */
  writeState(name: string, text: string): Promise<void>
  /**
   * Restores the initial value of a part of the state.
   *
   * @throws {UnderstudyError} if there is no state of this name, or it has no `reset()`
   */
  resetState(name: string): Promise<void>
  /**
   * Records requests: they go to the network without warnings, and the log marks them. With `'unmatched'`, these are
   * the requests that no handler matches. With `'all'`, these are all requests.
   *
   * @param mode `null` ends it
   */
  record(mode: RecordingMode | null): void
  /** Removes requests and hits. Disabled handlers and overrides stay. */
  clear(): void
  /** Removes requests, hits and overrides, enables all handlers, and ends a recording. Handlers stay. */
  reset(): void
}

/** The number of requests that are kept. */
const logLimit = 500

const inspections = new WeakMap<Network, Inspection>()

/**
 * Returns the inspection of a worker or a server. Requests are logged from the first call on. A second call returns the
 * same inspection.
 *
 * @throws {UnderstudyError} if the argument is not a worker or a server
 * @example
 * const inspection = inspect(worker)
 * inspection.subscribe(({ requests }) => console.table(requests))
 */
export function inspect(workerOrServer: Pick<HandlersControl, '~network'>): Inspection {
  const network = (workerOrServer as Partial<typeof workerOrServer> | undefined)?.['~network']
  if (!network) {
    const action = 'Pass what setupWorker() or setupServer() returned.'
    throw failure('US0852', 'inspect', `its argument is ${describe(workerOrServer)}`, action)
  }
  let inspection = inspections.get(network)
  if (!inspection) {
    inspection = createInspection(network)
    inspections.set(network, inspection)
  }
  return inspection
}

function createInspection(network: Network): Inspection {
  const listeners = new Set<(snapshot: Snapshot) => void>()
  const observers = new Set<() => void>()
  const bodyLimits = new Set<{ readonly bytes: number }>()
  let isPending = false
  let revision = 0

  function changed(): void {
    revision += 1
    if (isPending || listeners.size + observers.size === 0) return
    isPending = true
    setTimeout(() => {
      isPending = false
      for (const observer of observers) tell(observer)
      if (listeners.size === 0) return
      const current = snapshot()
      for (const listener of listeners) tell(() => listener(current))
    })
  }
  const kept = new KeptBodies(changed, (id, readText) => log.endResponse(id, readText))
  const log: RequestLog = new RequestLog(logLimit, (id) => kept.forget(id))
  const bodyLimit = (): number => Math.max(...Array.from(bodyLimits, ({ bytes }) => bytes))

  network.onChange(changed)
  const decide = (decision: Decision, more: Parameters<RequestLog['decide']>[1]): void => {
    log.decide(decision, more)
    if (bodyLimits.size > 0) kept.keep(decision, bodyLimit())
    changed()
  }
  network.observe((decision) => decide(decision, isRecorded(network, decision) ? { isRecorded: true } : {}))
  watchFailures(network, (failed) => {
    if (log.fail(failed)) changed()
  })
  const connections = new ConnectionLog(changed)
  const inspectHandlers = createHandlerInspector(network)
  network.connections.add((connection) => connections.add(connection))
  network.progress.add((progress) => {
    log.follow(progress)
    if (progress.type === 'part') decide(toPartDecision(progress, network), { partOf: progress.requestId })
    if (bodyLimits.size > 0) {
      if (progress.type === 'answer') kept.keepAnswer(progress, bodyLimit())
      else if (progress.type === 'response') kept.keepResponse(progress.requestId, progress.response, bodyLimit())
    }
    changed()
  })

  function snapshot(): Snapshot {
    const recording = modeOf(network)
    const state = listState(network)
    return {
      handlers: inspectHandlers(),
      requests: log.requests,
      connections: connections.connections,
      ...(network.scenarios && {
        scenarios: { names: network.scenarios.names, active: network.scenarios.active },
      }),
      ...(state && { state }),
      ...(recording && { recording }),
    }
  }

  function find(operation: string, id: number): LayerEntry {
    const entry = network.layers.entries().find((candidate) => candidate.id === id)
    if (entry) return entry
    throw failure('US0853', operation, `there is no handler with the id ${id}`, 'Use an id from the latest snapshot().')
  }

  function forget(change: Parameters<Network['layers']['change']>[1]): void {
    log.clear()
    connections.clear()
    network.layers.change(network.layers.entries(), change)
    // Code outside a boundary does not get the boundary's events.
    changed()
  }

  return {
    snapshot,
    listRequests: () => log.requests,
    get revision() {
      return revision
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    onChange(listener) {
      observers.add(listener)
      return () => void observers.delete(listener)
    },
    keepBodies(bytes = 65_536) {
      if (!(bytes > 0))
        throw failure('US0854', 'keep bodies', `${bytes} is not a valid limit`, 'Use a number of bytes above 0.')
      const limit = { bytes }
      bodyLimits.add(limit)
      const endResponses = network.readResponses()
      return () => {
        bodyLimits.delete(limit)
        endResponses()
      }
    },
    headers: (requestId) => log.headers(requestId),
    bodies: (requestId, limit) => kept.get(requestId, limit),
    frames: (connectionId) => connections.frames(connectionId),
    send(id, data, event) {
      const stream = openStreams.get(id)
      if (stream) stream.send({ data, ...(event && { event: event as 'message' }) })
      else connections.send(id, data)
    },
    setEnabled(id, enabled) {
      network.layers.change([find('switch a handler', id)], { enabled })
    },
    override(id, override) {
      const entry = find('override a handler', id)
      checkOverride(override)
      network.layers.change([entry], { override: toAppliedOverride(override) })
    },
    scenario(names) {
      const action = 'Export them: export const scenarios = { empty: [http.get(path, resolver)] }.'
      if (!network.scenarios)
        throw failure('US0859', 'activate scenarios', 'the handlers module exports no scenarios', action)
      network.scenarios.activate(names)
    },
    readState: (name) => readState(network, name),
    writeState: (name, text) => writeState(network, name, text),
    resetState: (name) => resetState(network, name),
    record: (mode) => changeRecording(network, mode),
    clear: () => forget({ hits: 0 }),
    reset() {
      changeRecording(network, null)
      forget({ enabled: true, hits: 0, override: undefined })
    },
  }
}

function tell(listener: () => void): void {
  try {
    listener()
  } catch (error) {
    print.error('US0855', 'Failed to notify a subscriber of an inspection: it threw. See the error.', error)
  }
}

function checkOverride(override: Override | null): void {
  const { status, headers, delay } = override ?? {}
  if (status !== undefined && !(Number.isInteger(status) && status >= 200 && status <= 599)) {
    throw failure('US0856', 'override a handler', `${status} is not a valid status`, 'Use an integer from 200 to 599.')
  }
  try {
    new Headers(headers as [string, string][] | undefined)
  } catch (error) {
    const action = 'Use names and values that the constructor of Headers accepts.'
    throw failure('US0850', 'override a handler', 'its headers are not valid', action, { cause: error })
  }
  if (delay !== undefined && !(delay >= 0 && delay <= longestDelay)) {
    const action = `Use milliseconds, from 0 to ${longestDelay}.`
    throw failure('US0857', 'override a handler', `${delay} is not a valid delay`, action)
  }
}

/** The longest time that a timer can wait. */
const longestDelay = 2_147_483_647
