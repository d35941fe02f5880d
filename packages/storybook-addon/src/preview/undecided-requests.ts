import type { Network } from '@understudy/engine/internal/page'

import { liveRuns, type StoryRun } from './story-run.ts'

/** A request of a story that may still turn out to be unhandled. */
interface Undecided {
  readonly key: string
  readonly runs: ReadonlySet<StoryRun>
  readonly decided: Promise<void>
  readonly settle: () => void
}

const undecided = new Set<Undecided>()

/**
 * Notes a request, if a rendered story fails by unhandled requests.
 *
 * @returns a function to call when the request has ended
 */
export function noteRequest(method: string, url: string): (() => void) | undefined {
  const runs = new Set([...liveRuns()].filter(({ onUnhandledRequest }) => onUnhandledRequest === 'error'))
  if (runs.size === 0 || !URL.canParse(url, document.baseURI)) return undefined
  let resolve = (): void => {}
  const decided = new Promise<void>((settled) => {
    resolve = settled
  })
  const noted: Undecided = {
    key: toKey(method, new URL(url, document.baseURI)),
    runs,
    decided,
    settle() {
      undecided.delete(noted)
      resolve()
    },
  }
  undecided.add(noted)
  return noted.settle
}

/** Ends the wait for requests that a handler matches, because its resolver may take any time. */
export function watchMatches(network: Network, { onUnhandledRequest, ending: { signal } }: StoryRun): void {
  if (onUnhandledRequest !== 'error') return
  network.events.on(
    'request:match',
    ({ request }) => {
      const key = toKey(request.method, new URL(request.url))
      for (const noted of undecided) {
        if (noted.key !== key) continue
        noted.settle()
        return
      }
    },
    { signal },
  )
}

/** Waits until the requests that a story has made so far are matched or unhandled, or until the story ends. */
export async function untilDecided(run: StoryRun): Promise<void> {
  const own = [...undecided].filter(({ runs }) => runs.has(run))
  if (own.length === 0) return
  const { signal } = run.ending
  await Promise.race([
    Promise.all(own.map(({ decided }) => decided)),
    new Promise<void>((resolve) => {
      if (signal.aborted) resolve()
      else signal.addEventListener('abort', () => resolve(), { once: true })
    }),
  ])
}

function toKey(method: string, url: URL): string {
  return `${method.toUpperCase()} ${url.origin}${url.pathname}${url.search}`
}
