import type { HandlersControl } from '../core/network/network.ts'
import { EarlierLog } from './earlier-log.ts'
import { inspect } from './inspect.ts'
import { toInspectionPort } from './inspection-port.ts'
import { KeptSettings } from './kept-settings.ts'
import { labelsOfGroups } from './labels.ts'
import { shareInspection, type SharedInspection } from './share-inspection.ts'

/** The name of the `BroadcastChannel` for pages and panels of one origin. */
export const panelChannel = 'understudy:inspection'

/** The storage key of the settings of panels, for the page after a reload. */
const settingsKey = 'understudy:settings'

/** The storage key of the log, for the tab's next page. */
const logKey = 'understudy:log'

/** The maximum number of characters of the log if the storage has no space for more. */
const smallLog = 50_000

/** The storage key of the setting that pages of the origin do not keep their logs: `off`. */
const preserveKey = 'understudy:preserve-log'

/** After a reload, the limit on the wait for a panel, in milliseconds. Without a panel, the page drops all overrides. */
const panelTimeout = 5000

/**
 * Lets panels of the same origin see this page's worker while the page exists. While a panel is open, settings of
 * handlers survive an edit and a reload, and apply from the first request on. Call this before handlers are added.
 *
 * @param readNotices returns the notices that panels show at the top, in whole sentences
 */
export function sharePage(
  worker: Pick<HandlersControl, '~network'>,
  readNotices: () => readonly string[] = () => [],
): Pick<SharedInspection, 'id' | 'update'> {
  const { '~network': network } = worker
  const inspection = inspect(worker)
  // Frames of one tab have one storage, and the log of a frame would replace the log of its page.
  const isTop = self === top
  let isWatched = false
  /** In a tab in which no panel was open, pages do not store their logs. */
  let wasWatched = false
  const settings = new KeptSettings(network, read('session', settingsKey), (text) => {
    if (isWatched) write('session', settingsKey, text)
  })
  let earlier = takeEarlierLog()

  function takeEarlierLog(): EarlierLog {
    const text = isTop ? read('session', logKey) : ''
    // A tab that this one opens gets a copy of the storage, and the app needs the space. A crash loses the log.
    if (text !== '') write('session', logKey, '')
    // A page that redirects unloads before a panel connects.
    wasWatched ||= text !== ''
    let own: ReadonlySet<string> | undefined
    return new EarlierLog(text, (id) => {
      if (!own) {
        const { requests, connections } = inspection.snapshot()
        own = new Set([...requests, ...connections].map((item) => item.id))
      }
      return own.has(id)
    })
  }
  const describe = () => ({
    title: document.title || location.pathname,
    url: location.href,
    notices: readNotices(),
    labels: labelsOfGroups(network),
    ...(isTop && { preservesLog: read('local', preserveKey) !== 'off' }),
  })
  let shared: SharedInspection | undefined

  function share(): void {
    const channel = openChannel()
    if (!channel) return
    const watched = (now: boolean): void => {
      isWatched = now
      wasWatched ||= now
      write('session', settingsKey, now ? settings.text : '')
    }
    const sharing = shareInspection(inspection, toInspectionPort(channel), {
      describe,
      watched,
      ...(isTop && {
        earlier: { log: earlier, preserve: (isOn) => write('local', preserveKey, isOn ? '' : 'off') },
      }),
    })
    shared = {
      ...sharing,
      stop() {
        sharing.stop()
        channel.close()
      },
    }
  }
  share()
  if (settings.text !== '') {
    setTimeout(() => {
      if (isWatched) return
      write('session', settingsKey, '')
      settings.reset()
    }, panelTimeout)
  }
  addEventListener('pagehide', () => {
    shared?.stop()
    shared = undefined
    isWatched = false
    if (isTop && wasWatched && read('local', preserveKey) !== 'off') {
      const keep = (limit?: number): boolean =>
        write('session', logKey, earlier.leave(inspection, location.href, Date.now(), limit))
      // The app may have filled the storage. The rows need less space than the bodies.
      if (!keep()) keep(smallLog)
    }
  })
  // A page that comes back from the back/forward cache shares its network again.
  addEventListener('pageshow', () => {
    if (shared) return
    earlier = takeEarlierLog()
    share()
  })
  return {
    // A panel inside this page shows this network first.
    get id() {
      return shared?.id ?? ''
    },
    update: () => shared?.update(),
  }
}

/** Firefox refuses the channel if it blocks storage for the site. Such a page is mocked without a panel. */
function openChannel(): BroadcastChannel | undefined {
  try {
    return new BroadcastChannel(panelChannel)
  } catch {
    return undefined
  }
}

/** Browsers can block the storage of frames. */
function read(storage: 'session' | 'local', key: string): string {
  try {
    return (storage === 'session' ? sessionStorage : localStorage).getItem(key) ?? ''
  } catch {
    return ''
  }
}

/**
 * @param text the text to store; `''` removes the entry
 * @returns whether the storage accepted it
 */
function write(storage: 'session' | 'local', key: string, text: string): boolean {
  try {
    const store = storage === 'session' ? sessionStorage : localStorage
    if (text === '') store.removeItem(key)
    else store.setItem(key, text)
    return true
  } catch {
    // Without storage, overrides are applied a moment after a reload, and the log starts empty.
    return false
  }
}
