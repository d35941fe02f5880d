import { createId } from './create-id.ts'
import type { Inspection, Snapshot } from './inspect.ts'
import {
  readPanelMessage,
  sealNetworkMessage,
  type Command,
  type NetworkInfo,
  type NetworkMessage,
  type RequestDetails,
} from './inspection-messages.ts'
import type { InspectionPort } from './inspection-port.ts'
import type { LoggedRequest } from './request-log.ts'

/** The options of {@link shareInspection}. */
export interface ShareOptions {
  /** Tells it from other networks on the same port. Default: random. */
  id?: string
  /** What panels show besides the snapshot. Asked for whenever they are told something. */
  describe?: () => Partial<NetworkInfo>
  /** Told when the first panel comes, and when the last one has gone. */
  watched?: (isWatched: boolean) => void
}

/** An inspection that panels elsewhere can see. */
export interface SharedInspection {
  readonly id: string
  /** What `describe` returns has changed. */
  update(): void
  stop(): void
}

/** A panel that was not heard of for so long is gone. Timers of hidden pages may wait a minute. */
const lease = 150_000

/** How often panels are told of changes, in milliseconds: more often, nobody could see. */
const pause = 100

/**
 * Lets panels elsewhere see an inspection, and command it. While none listens, nothing is sent and no body is kept.
 *
 * @param port where `connectInspections` is at the other end
 * @example
 * const shared = shareInspection(inspect(worker), toInspectionPort(new BroadcastChannel('understudy')))
 */
export function shareInspection(
  inspection: Inspection,
  port: InspectionPort,
  { id = createId(), describe, watched }: ShareOptions = {},
): SharedInspection {
  /** When they are taken for gone, by their ids. */
  const panels = new Map<string, ReturnType<typeof setTimeout>>()
  let told = new WeakSet<LoggedRequest>()
  let newest: LoggedRequest | undefined
  let revision = 0
  let pausing: ReturnType<typeof setTimeout> | undefined
  let isStale = false
  let endings: (() => void)[] = []

  const send = (message: NetworkMessage): void => port.send(sealNetworkMessage(message))

  function sendState(isWhole: boolean, { handlers, requests }: Snapshot = inspection.snapshot()): void {
    // Where the newest of before is missing, the log was emptied.
    const whole = isWhole || (newest !== undefined && !requests.includes(newest))
    const added = whole ? requests : requests.filter((request) => !told.has(request))
    if (whole) told = new WeakSet()
    for (const request of added) told.add(request)
    newest = requests[0]
    revision += 1
    send({ type: 'state', network: id, info: readInfo(describe), revision, whole, handlers, requests: added })
  }

  function changed(): void {
    if (panels.size === 0) return
    if (pausing !== undefined) {
      isStale = true
      return
    }
    sendState(false)
    pausing = setTimeout(() => {
      pausing = undefined
      if (isStale) changed()
      isStale = false
    }, pause)
  }

  function welcome(panel: string): void {
    const isFirst = panels.size === 0
    if (isFirst) endings = [inspection.subscribe(changed), inspection.keepBodies()]
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
    rest()
    watched?.(false)
  }

  function rest(): void {
    for (const end of endings.splice(0)) end()
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
      const answer = obey(inspection, message.command)
      // Who hears that it is done must see it so: what they saw last is older.
      if (panels.size > 0 && message.command.name !== 'details') sendState(false)
      send({ type: 'answer', network: id, call: message.call, ...answer })
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

function readInfo(describe: (() => Partial<NetworkInfo>) | undefined): NetworkInfo {
  return { title: '', url: null, notices: [], labels: [], ...describe?.() }
}

interface Answer {
  readonly error: string | null
  readonly details: RequestDetails | null
}

function obey(inspection: Inspection, command: Command): Answer {
  try {
    return { error: null, details: perform(inspection, command) }
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error), details: null }
  }
}

function perform(inspection: Inspection, command: Command): RequestDetails | null {
  switch (command.name) {
    case 'setEnabled':
      inspection.setEnabled(command.id, command.enabled)
      return null
    case 'override':
      inspection.override(command.id, command.override)
      return null
    case 'reset':
      inspection.reset()
      return null
    case 'details':
      return { headers: inspection.headers(command.requestId), bodies: inspection.bodies(command.requestId) }
  }
}
