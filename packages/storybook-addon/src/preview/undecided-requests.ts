import { getGate, type Network } from '@understudy/engine/internal/page'

import { liveRuns, type StoryRun } from './story-run.ts'

/** Test libraries may replace it later. */
const { setTimeout } = globalThis

/** The time between two checks whether requests are held, in milliseconds. */
const heldInterval = 5

/** A request of a story that may still turn out to be unhandled. */
interface Undecided {
  readonly key: string
  readonly runs: ReadonlySet<StoryRun>
  readonly decided: Promise<void>
  readonly settle: () => void
  /** The id of its life-cycle events, after the first one. */
  requestId: string | undefined
  /** Whether handlers are asked about its parts, such as the operations of a batch. */
  hasParts: boolean
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
    requestId: undefined,
    hasParts: false,
  }
  undecided.add(noted)
  return noted.settle
}

/**
 * Ends the wait for a request when a handler matches it or each of its parts, because the resolver may take any time, or
 * when it is decided otherwise, because the real server may take any time.
 */
export function watchDecisions(network: Network, { onUnhandledRequest, ending: { signal } }: StoryRun): void {
  if (onUnhandledRequest !== 'error') return
  // On a docs page, several stories listen. The id makes sure that each request settles only one note.
  network.events.on(
    'request:start',
    ({ request, requestId }) => {
      if (withId(requestId)) return
      const key = toKey(request.method, new URL(request.url))
      const noted = find((each) => each.requestId === undefined && each.key === key)
      if (noted) noted.requestId = requestId
    },
    { signal },
  )
  const endProgress = network.progress.add((step) => {
    if (step.type !== 'parts' && step.type !== 'parts-decided') return
    const noted = withId(step.requestId)
    if (step.type === 'parts-decided') noted?.settle()
    else if (noted) noted.hasParts = true
  })
  signal.addEventListener('abort', endProgress, { once: true })
  network.events.on(
    'request:match',
    ({ requestId }) => {
      const noted = withId(requestId)
      if (noted?.hasParts === false) noted.settle()
    },
    { signal },
  )
  network.events.on('request:end', ({ requestId }) => withId(requestId)?.settle(), { signal })
}

/** Waits until the requests that a story has made so far are decided, or until the story ends. */
export async function untilDecided(run: StoryRun): Promise<void> {
  const { signal } = run.ending
  // Requests that are made while the worker gets the story's handlers are noted when the gate releases them.
  while ((getGate()?.held ?? 0) > 0 && !signal.aborted) {
    await new Promise((resolve) => {
      setTimeout(resolve, heldInterval)
    })
  }
  const own = [...undecided].filter(({ runs }) => runs.has(run))
  if (own.length === 0) return
  await Promise.race([
    Promise.all(own.map(({ decided }) => decided)),
    new Promise<void>((resolve) => {
      if (signal.aborted) resolve()
      else signal.addEventListener('abort', () => resolve(), { once: true })
    }),
  ])
}

function withId(requestId: string): Undecided | undefined {
  return find((noted) => noted.requestId === requestId)
}

function find(isWanted: (noted: Undecided) => boolean): Undecided | undefined {
  for (const noted of undecided) if (isWanted(noted)) return noted
  return undefined
}

function toKey(method: string, url: URL): string {
  return `${method.toUpperCase()} ${url.origin}${url.pathname}${url.search}`
}
