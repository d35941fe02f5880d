import type { HandlersControl } from '../core/network/network.ts'
import { inspect } from './inspect.ts'
import { toInspectionPort } from './inspection-port.ts'
import { shareInspection, type SharedInspection } from './share-inspection.ts'

/** The name of the `BroadcastChannel` by which pages and panels of one origin meet. */
export const panelChannel = 'understudy:inspection'

/**
 * Lets panels of the same origin see this page's worker, as long as the page is there.
 *
 * @param readNotices what panels say above all else, in whole sentences
 */
export function sharePage(
  worker: Pick<HandlersControl, '~network'>,
  readNotices: () => readonly string[] = () => [],
): Pick<SharedInspection, 'update'> {
  const inspection = inspect(worker)
  const describe = () => ({
    title: document.title || location.pathname,
    url: location.href,
    notices: readNotices(),
  })
  let shared: SharedInspection | undefined

  function share(): void {
    const channel = new BroadcastChannel(panelChannel)
    const sharing = shareInspection(inspection, toInspectionPort(channel), { describe })
    shared = {
      ...sharing,
      stop() {
        sharing.stop()
        channel.close()
      },
    }
  }
  share()
  addEventListener('pagehide', () => {
    shared?.stop()
    shared = undefined
  })
  // A page that comes back from the browser's cache was only away.
  addEventListener('pageshow', () => {
    if (!shared) share()
  })
  return { update: () => shared?.update() }
}
