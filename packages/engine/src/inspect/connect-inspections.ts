import { createId } from '../core/create-id.ts'
import { failure } from '../core/failure.ts'
import {
  readNetworkMessage,
  sealPanelMessage,
  type Command,
  type NetworkMessage,
  type PanelMessage,
} from './inspection-messages.ts'
import type { InspectionPort } from './inspection-port.ts'
import {
  createRemoteInspection,
  type Answer,
  type KnownNetwork,
  type RemoteInspection,
  type RemoteState,
} from './remote-inspection.ts'

/** A connection to the networks at the other end of a port. */
export interface InspectionConnection {
  /** Returns the current networks, the earliest first. The same array until a network is added or removed. */
  getNetworks(): readonly RemoteInspection[]
  /** Calls a listener when a network is added or removed. Returns a function that ends this. */
  subscribe(listener: () => void): () => void
  close(): void
}

interface Call {
  readonly network: string
  readonly resolve: (answer: Answer) => void
  readonly reject: (error: Error) => void
}

interface Network extends KnownNetwork {
  readonly remote: RemoteInspection
  revision: number
  /** The number of intervals without an answer of the network. */
  silence: number
}

/** The interval at which the panel announces itself, and asks networks whether they still exist. */
const beat = 20_000

/** A network that sends nothing for this number of intervals counts as gone. */
const longestSilence = 3

/** The number of requests that are kept of each network, as in `inspect`. */
const requestLimit = 500

/**
 * Connects to networks that `shareInspection` shares on the other side of a port. Finds existing networks and later
 * ones. They are identified by their ids.
 *
 * @example
 * const connection = connectInspections(toInspectionPort(new BroadcastChannel('understudy')))
 * connection.subscribe(() => console.log(connection.getNetworks().map((network) => network.getState().info.title)))
 */
export function connectInspections(port: InspectionPort): InspectionConnection {
  const panel = createId()
  const networks = new Map<string, Network>()
  const calls = new Map<string, Call>()
  const listeners = new Set<() => void>()
  let list: readonly RemoteInspection[] = []

  const send = (message: PanelMessage): void => port.send(sealPanelMessage(message))
  const watch = (network: string | null): void => send({ type: 'watch', panel, network, whole: true })

  function call(network: string, command: Command): Promise<Answer> {
    return new Promise((resolve, reject) => {
      if (!networks.has(network)) {
        reject(goneError())
        return
      }
      const id = createId()
      calls.set(id, { network, resolve, reject })
      send({ type: 'command', network, call: id, command })
    })
  }

  function listChanged(): void {
    list = Array.from(networks.values(), ({ remote }) => remote)
    for (const listener of listeners) listener()
  }

  function forget(id: string): void {
    if (!networks.delete(id)) return
    for (const [key, { network, reject }] of calls) {
      if (network !== id) continue
      calls.delete(key)
      reject(goneError())
    }
    listChanged()
  }

  function receiveState(message: Extract<NetworkMessage, { type: 'state' }>): void {
    const known = networks.get(message.network)
    // A message was missed, so the changes since then cannot be applied.
    if (!message.whole && known?.revision !== message.revision - 1) {
      watch(message.network)
      return
    }
    const { connections, scenarios, state: parts, recording, revision, whole } = message
    const info = message.info ?? known?.state.info
    // A network sends it in the first state.
    if (!info) return
    const handlers = message.allHandlers
      ? message.handlers
      : mergeHandlers(known?.state.handlers ?? [], message.handlers)
    const requests = whole ? message.requests : mergeRequests(known?.state.requests ?? [], message.requests)
    const earlier = message.earlier ?? (whole ? undefined : known?.state.earlier)
    const state = {
      info,
      handlers,
      requests,
      connections,
      ...(scenarios && { scenarios }),
      ...(parts && { state: parts }),
      ...(recording && { recording }),
      ...(earlier && { earlier }),
    }
    if (known) {
      Object.assign(known, { state, revision, silence: 0 })
      for (const listener of known.listeners) listener()
      return
    }
    const network: Network = {
      remote: createRemoteInspection(message.network, () => network, call),
      listeners: new Set(),
      state,
      revision,
      silence: 0,
    }
    networks.set(message.network, network)
    listChanged()
  }

  const endListening = port.listen((data) => {
    const message = readNetworkMessage(data)
    if (!message) return
    const known = networks.get(message.network)
    if (known) known.silence = 0
    if (message.type === 'state') receiveState(message)
    else if (message.type === 'gone') forget(message.network)
    else if (message.type === 'here' && !known) watch(message.network)
    else if (message.type === 'answer') {
      const answered = calls.get(message.call)
      calls.delete(message.call)
      if (message.error === null) answered?.resolve(message)
      else {
        const [, code] = /\((US\d{4})\)/.exec(message.error) ?? []
        answered?.reject(Object.assign(new Error(message.error), { name: 'UnderstudyError', code }))
      }
    }
  })

  const beating = setInterval(() => {
    for (const [id, network] of networks) {
      network.silence += 1
      if (network.silence > longestSilence) forget(id)
    }
    send({ type: 'watch', panel, network: null, whole: false })
  }, beat)

  watch(null)

  return {
    getNetworks: () => list,
    subscribe(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    close() {
      clearInterval(beating)
      send({ type: 'leave', panel })
      endListening()
      for (const id of networks.keys()) forget(id)
    },
  }
}

/** Merges changed handlers into the known ones. Returns the same list if no handler has changed. */
function mergeHandlers(known: RemoteState['handlers'], changed: RemoteState['handlers']): RemoteState['handlers'] {
  if (changed.length === 0) return known
  const replacements = new Map(changed.map((handler) => [handler.id, handler]))
  return known.map((handler) => replacements.get(handler.id) ?? handler)
}

/** Merges requests, the newest first. A changed request keeps its position. */
function mergeRequests(known: RemoteState['requests'], changed: RemoteState['requests']): RemoteState['requests'] {
  if (changed.length === 0) return known
  const replacements = new Map(changed.map((request) => [request.id, request]))
  const kept = known.map((request) => {
    const replacement = replacements.get(request.id) ?? request
    replacements.delete(request.id)
    return replacement
  })
  return [...replacements.values(), ...kept].slice(0, requestLimit)
}

function goneError(): Error {
  return failure(
    'US0851',
    'control a network',
    'it no longer exists',
    'Open its page again, or choose another network.',
  )
}
