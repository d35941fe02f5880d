import type { HandlersControl } from '../core/network/network.ts'
import { EarlierLog } from './earlier-log.ts'
import { inspect } from './inspect.ts'
import { toInspectionPort } from './inspection-port.ts'
import { KeptSettings } from './kept-settings.ts'
import { labelsOfGroups } from './labels.ts'
import { shareInspection, type SharedInspection } from './share-inspection.ts'

/** The name of the `BroadcastChannel` by which pages and panels of one origin meet. */
export const panelChannel = 'understudy:inspection'

/** Where a page keeps what panels have set, for the page that a reload makes of it. */
const settingsKey = 'understudy:settings'

/** Where a page keeps its log for the tab's next page. */
const logKey = 'understudy:log'

/** Where `off` says for the whole origin that pages do not keep their logs. */
const preserveKey = 'understudy:preserve-log'

/** After a reload, the limit on the wait for a panel, in milliseconds. Without a panel, the page drops all overrides. */
const panelTimeout = 5000

/**
 * Lets panels of the same origin see this page's worker, as long as the page is there. What they set on handlers holds
 * for the next handlers, too: from the first request after a reload on, and through an edit, as long as a panel is open.
 *
 * Call it before there are handlers.
 *
 * @param readNotices what panels say above all else, in whole sentences
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
    // A page that redirects is left before a panel connects.
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
      write('session', logKey, earlier.leave(inspection, location.href))
    }
  })
  // A page that comes back from the browser's cache was only away.
  addEventListener('pageshow', () => {
    if (shared) return
    earlier = takeEarlierLog()
    share()
  })
  return {
    // A panel within this page shows this network first.
    get id() {
      return shared?.id ?? ''
    },
    update: () => shared?.update(),
  }
}

/** Firefox refuses a page the channel where it stores nothing for the site: such a page is mocked without a panel. */
function openChannel(): BroadcastChannel | undefined {
  try {
    return new BroadcastChannel(panelChannel)
  } catch {
    return undefined
  }
}

/** Frames may be denied their storage. */
function read(storage: 'session' | 'local', key: string): string {
  try {
    return (storage === 'session' ? sessionStorage : localStorage).getItem(key) ?? ''
  } catch {
    return ''
  }
}

/** @param text `''` leaves nothing there */
function write(storage: 'session' | 'local', key: string, text: string): void {
  try {
    const store = storage === 'session' ? sessionStorage : localStorage
    if (text === '') store.removeItem(key)
    else store.setItem(key, text)
  } catch {
    // Without storage, overrides arrive a moment after a reload, and the log starts again.
  }
}
