import { createId } from '../core/create-id.ts'
import type { EarlierLog } from './earlier-log.ts'
import { isSameHandler } from './inspect-handlers.ts'
import type { Inspection, Snapshot } from './inspect.ts'
import { readPanelMessage, sealNetworkMessage, type Command, type NetworkMessage } from './inspection-messages.ts'
import type { InspectionPort } from './inspection-port.ts'
import type { LoggedRequest } from './request-log.ts'
import { searchDetails, type SearchResult } from './search-details.ts'
import type { NetworkInfo, RequestDetails } from './shared-data.ts'

/** The options of {@link shareInspection}. */
export interface ShareOptions {
  /** Identifies the network among those on the same port. Default: random. */
  id?: string
  /** Returns what panels show in addition to the snapshot. Called for each message to panels. */
  describe?: () => Partial<NetworkInfo>
  /** Called when the first panel connects, and after the last one has left. */
  watched?: (isWatched: boolean) => void
  /** The log of the tab's earlier pages, and the switch that keeps it. */
  earlier?: { readonly log: EarlierLog; preserve(isOn: boolean): void }
}

/** An inspection that panels elsewhere can see. */
export interface SharedInspection {
  readonly id: string
  /** Call this when the result of `describe` has changed. */
  update(): void
  stop(): void
}

/** After this time without a message, a panel counts as closed. Browsers delay the timers of hidden pages by up to a minute. */
const lease = 150_000

/** The number of bytes of each body that are kept for panels: enough for the large JSON that apps load. */
const bodyLimit = 2_000_000

/** The shortest interval of updates to panels, in milliseconds. A person cannot see more frequent changes. */
const shortestPause = 100

/** The shortest interval after an update with more than {@link readableRows}. */
const crowdedPause = 250
/** The number of new rows that a person can read in {@link shortestPause}. Above it, most of the log moves in each update. */
const readableRows = 10

/**
 * After an update, the pause is at least this many times as long as the update took, so that the app has most of the
 * time.
 */
const pauseFactor = 20

/**
 * Lets panels in other pages or processes see and control an inspection. While no panel is connected, it sends nothing
 * and keeps no bodies.
 *
 * @param port the port with `connectInspections` at the other end
 * @example
 * const shared = shareInspection(inspect(worker), toInspectionPort(new BroadcastChannel('understudy')))
 */
export function shareInspection(
  inspection: Inspection,
  port: InspectionPort,
  { id = createId(), describe, watched, earlier }: ShareOptions = {},
): SharedInspection {
  /** The timers after which panels count as closed, by their ids. */
  const panels = new Map<string, ReturnType<typeof setTimeout>>()
  let told = new WeakSet<LoggedRequest>()
  let newest: string | undefined
  let toldEarlier: EarlierLog['pages'] | undefined
  let toldHandlers: Snapshot['handlers'] = []
  let toldInfo: NetworkInfo | undefined
  let revision = 0
  let pausing: ReturnType<typeof setTimeout> | undefined
  let isStale = false
  let endObserving = doNothing
  let endKeeping = doNothing

  const send = (message: NetworkMessage): void => port.send(sealNetworkMessage(message))

  /** @returns the number of requests in the message */
  function sendState(isWhole: boolean, snapshot: Snapshot = inspection.snapshot()): number {
    const { requests, handlers, ...others } = snapshot
    // If the previous newest request is missing, the log was cleared.
    const whole = isWhole || (newest !== undefined && !requests.some((request) => request.id === newest))
    const added = whole ? requests : requests.filter((request) => !told.has(request))
    if (whole) told = new WeakSet()
    for (const request of added) told.add(request)
    newest = requests[0]?.id
    const pages = earlier?.log.pages
    const isEarlierNew = whole || pages !== toldEarlier
    toldEarlier = pages
    const info = readInfo(describe)
    const isInfoNew = whole || !toldInfo || !isSameInfo(info, toldInfo)
    toldInfo = info
    const allHandlers = whole || !isSameList(handlers, toldHandlers)
    const known = toldHandlers
    toldHandlers = handlers
    revision += 1
    send({
      type: 'state',
      network: id,
      ...(isInfoNew && { info }),
      revision,
      whole,
      allHandlers,
      handlers: allHandlers ? handlers : handlers.filter((handler, index) => !isSameHandler(handler, known[index])),
      ...others,
      requests: added,
      ...(isEarlierNew && pages && { earlier: pages }),
    })
    return added.length
  }

  function changed(): void {
    if (panels.size === 0) return
    if (pausing !== undefined) {
      isStale = true
      return
    }
    const start = performance.now()
    const isCrowded = sendState(false) > readableRows
    // Each request would start timers that call this function for nothing.
    endObserving()
    const { revision: sent } = inspection
    pausing = setTimeout(
      () => {
        pausing = undefined
        endObserving = inspection.onChange(changed)
        if (isStale || inspection.revision !== sent) changed()
        isStale = false
      },
      Math.max(isCrowded ? crowdedPause : shortestPause, (performance.now() - start) * pauseFactor),
    )
  }

  function welcome(panel: string): void {
    const isFirst = panels.size === 0
    if (isFirst) {
      endObserving = inspection.onChange(changed)
      endKeeping = inspection.keepBodies(bodyLimit)
    }
    clearTimeout(panels.get(panel))
    panels.set(
      panel,
      setTimeout(() => dismiss(panel), lease),
    )
    if (isFirst) watched?.(true)
  }

  function dismiss(panel: string): void {
    clearTimeout(panels.get(panel))
    if (!panels.delete(panel) || panels.size > 0) return
    // End a recording without a panel: bodies are no longer kept, and the developer would not see why nothing is
    // mocked.
    inspection.record(null)
    rest()
    watched?.(false)
  }

  function rest(): void {
    endObserving()
    endKeeping()
    endObserving = doNothing
    endKeeping = doNothing
    clearTimeout(pausing)
    pausing = undefined
    isStale = false
  }

  const endListening = port.listen((data) => {
    const message = readPanelMessage(data)
    if (message?.type === 'watch' && (message.network === null || message.network === id)) {
      welcome(message.panel)
      if (message.whole) sendState(true)
      else send({ type: 'here', network: id })
    } else if (message?.type === 'leave') {
      dismiss(message.panel)
    } else if (message?.type === 'command' && message.network === id) {
      const { call, command } = message
      const reply = (answer: Answer): void => {
        // Send the new state before the answer, so that the panel does not show the previous state after the command.
        if (panels.size > 0 && !readingCommands.has(command.name)) sendState(false)
        send({ type: 'answer', network: id, call, ...answer })
      }
      if (isStateCommand(command)) void obeyForState(inspection, command).then(reply)
      else reply(obey(inspection, command, earlier))
    }
  })
  send({ type: 'here', network: id })

  return {
    id,
    update: changed,
    stop() {
      endListening()
      for (const timer of panels.values()) clearTimeout(timer)
      panels.clear()
      rest()
      send({ type: 'gone', network: id })
    },
  }
}

const doNothing = (): void => {}

function readInfo(describe: (() => Partial<NetworkInfo>) | undefined): NetworkInfo {
  return { title: '', url: null, notices: [], labels: [], ...describe?.() }
}

/** Whether there are the same handlers in the same order. */
function isSameList(handlers: Snapshot['handlers'], known: Snapshot['handlers']): boolean {
  return handlers.length === known.length && handlers.every(({ id }, index) => id === known[index]?.id)
}

function isSameInfo(info: NetworkInfo, known: NetworkInfo): boolean {
  const { labels, notices, ...others } = info
  return (
    Object.entries(others).every(([name, value]) => known[name as keyof NetworkInfo] === value) &&
    notices.join('\n') === known.notices.join('\n') &&
    labels.length === known.labels.length &&
    labels.every(({ id, layer, group }, index) => {
      const other = known.labels[index]
      return id === other?.id && layer === other.layer && group === other.group
    })
  )
}

/** The commands that change nothing. */
const readingCommands: ReadonlySet<string> = new Set<Command['name']>(['details', 'search', 'readState'])

interface Answer {
  readonly error: string | null
  readonly details: RequestDetails | null
  readonly results?: readonly SearchResult[]
  readonly text?: string
}

type StateCommand = Extract<Command, { readonly part: string }>

const isStateCommand = (command: Command): command is StateCommand => 'part' in command

/** The functions of the state are the user's, and may be asynchronous. */
async function obeyForState(inspection: Inspection, command: StateCommand): Promise<Answer> {
  const { name, part } = command
  try {
    if (name === 'readState') return { error: null, details: null, text: await inspection.readState(part) }
    await (name === 'writeState' ? inspection.writeState(part, command.text) : inspection.resetState(part))
    return { error: null, details: null }
  } catch (error) {
    return { error: messageOf(error), details: null }
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

function obey(
  inspection: Inspection,
  command: Exclude<Command, StateCommand>,
  earlier: ShareOptions['earlier'],
): Answer {
  try {
    if (command.name === 'search') {
      const { ids, words } = command
      const results = ids.map((id) => searchDetails(id, readDetails(inspection, id, earlier), words))
      return { error: null, details: null, results }
    }
    return { error: null, details: perform(inspection, command, earlier) }
  } catch (error) {
    return { error: messageOf(error), details: null }
  }
}

function readDetails(inspection: Inspection, id: string, earlier: ShareOptions['earlier']): RequestDetails {
  return (
    earlier?.log.details(id) ?? {
      headers: inspection.headers(id),
      bodies: inspection.bodies(id),
      frames: inspection.frames(id),
    }
  )
}

function perform(
  inspection: Inspection,
  command: Exclude<Command, StateCommand | { name: 'search' }>,
  earlier: ShareOptions['earlier'],
): RequestDetails | null {
  switch (command.name) {
    case 'setEnabled':
      inspection.setEnabled(command.id, command.enabled)
      return null
    case 'override':
      inspection.override(command.id, command.override)
      return null
    case 'record':
      inspection.record(command.mode)
      return null
    case 'reset':
      inspection.reset()
      earlier?.log.clear()
      return null
    case 'details':
      return readDetails(inspection, command.requestId, earlier)
    case 'clearLog':
      earlier?.log.clear()
      return null
    case 'preserveLog':
      earlier?.preserve(command.isOn)
      return null
    case 'scenario':
      inspection.scenario(command.names)
      return null
    case 'send':
      inspection.send(command.connectionId, command.data, command.event)
      return null
  }
}
