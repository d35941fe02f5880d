import type { HandlersControl } from '../core/network/network.ts'
import { inspect } from './inspect.ts'
import { toInspectionPort } from './inspection-port.ts'
import { KeptSettings } from './kept-settings.ts'
import { labelsOfGroups } from './labels.ts'
import { shareInspection, type SharedInspection } from './share-inspection.ts'

/** The name of the `BroadcastChannel` by which pages and panels of one origin meet. */
export const panelChannel = 'understudy:inspection'

/** Where a page keeps what panels have set, for the page that a reload makes of it. */
const settingsKey = 'understudy:settings'

/** How long a page that was reloaded waits for a panel: without one, nothing stays forced. In milliseconds. */
const patience = 5000

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
): Pick<SharedInspection, 'update'> {
  const { '~network': network } = worker
  const inspection = inspect(worker)
  let isWatched = false
  const settings = new KeptSettings(network, settingsStore.read(), (text) => {
    if (isWatched) settingsStore.write(text)
  })
  const describe = () => ({
    title: document.title || location.pathname,
    url: location.href,
    notices: readNotices(),
    labels: labelsOfGroups(network),
  })
  let shared: SharedInspection | undefined

  function share(): void {
    const channel = openChannel()
    if (!channel) return
    const watched = (now: boolean): void => {
      isWatched = now
      settingsStore.write(now ? settings.text : '')
    }
    const sharing = shareInspection(inspection, toInspectionPort(channel), { describe, watched })
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
      settingsStore.write('')
      settings.reset()
    }, patience)
  }
  addEventListener('pagehide', () => {
    shared?.stop()
    shared = undefined
    isWatched = false
  })
  // A page that comes back from the browser's cache was only away.
  addEventListener('pageshow', () => {
    if (!shared) share()
  })
  return { update: () => shared?.update() }
}

/** Firefox refuses a page the channel where it stores nothing for the site: such a page is mocked without a panel. */
function openChannel(): BroadcastChannel | undefined {
  try {
    return new BroadcastChannel(panelChannel)
  } catch {
    return undefined
  }
}

/** The tab's own storage. Frames may be denied it. */
const settingsStore = {
  read(): string {
    try {
      return sessionStorage.getItem(settingsKey) ?? ''
    } catch {
      return ''
    }
  },
  /** @param text `''` leaves nothing there */
  write(text: string): void {
    try {
      if (text === '') sessionStorage.removeItem(settingsKey)
      else sessionStorage.setItem(settingsKey, text)
    } catch {
      // Then what is forced comes a moment after a reload.
    }
  },
}
