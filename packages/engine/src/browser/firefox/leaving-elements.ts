import { later, now } from '../../core/real-time.ts'
import { getPageState, type PageScope } from '../gate/gate.ts'
import { createHeldPage } from '../gate/held-page.ts'
import { holdElementSources } from '../gate/hold-element-sources.ts'
import { navigationLimit } from '../lifecycle/time-outs.ts'
import { leavingSince } from './leaving-page.ts'

/**
 * Holds the sources that code sets on images, audio and video while the page unloads: Firefox may send the last
 * requests of a page to the network without asking the service worker. Held requests end with the page. Call it before
 * the gate opens, because `beforeunload` may have fired while the gate was closed.
 *
 * @returns a function that stops this, and sets the held sources
 */
export function holdLeavingElements(scope: PageScope = globalThis as PageScope): () => void {
  let page: ReturnType<typeof createHeldPage> | undefined
  /** The number of changes of this state. A change ends an earlier wait. */
  let changes = 0
  const hold = (): void => {
    if (!page) holdElementSources((page = createHeldPage(scope, getPageState(scope).neverHeld)))
    else if (page.isOpen) page.close(true)
    changes += 1
  }
  const release = (): void => {
    changes += 1
    page?.open({})
  }
  const holdForNavigation = (milliseconds: number): void => {
    hold()
    const own = changes
    later(() => own === changes && release(), milliseconds)
  }

  const listening = new AbortController()
  const { signal } = listening
  scope.addEventListener('beforeunload', () => holdForNavigation(navigationLimit), { signal })
  scope.addEventListener('pagehide', hold, { signal, capture: true })
  scope.addEventListener('pageshow', ({ persisted }) => persisted && release(), { signal })
  const rest = leavingSince() + navigationLimit - now()
  if (rest > 0) holdForNavigation(rest)

  return () => {
    listening.abort()
    release()
  }
}
