import type { Handler } from '@understudy/engine'
import { isPromise, type Network } from '@understudy/engine/internal/page'
import type { ArgTypesEnhancer } from 'storybook/internal/types'

import { scenariosOf } from './apply-scenarios.ts'
import { doCollide } from './collide.ts'
import { docsFrame } from './docs-frame.ts'
import type { PageMocking } from './mocking-state.ts'
import { getPageMocking } from './page-mocking.ts'
import type { UnderstudyParameters } from './parameters.ts'
import { listOf, readHandlers } from './read-handlers.ts'
import { runningPreview, untilRendered } from './until-rendered.ts'

/** The decision how a docs page shows a story. `handlers` is `undefined` if they are known only after it renders. */
interface Decision {
  readonly isInline: boolean
  readonly handlers: readonly Handler[] | undefined
}

/**
 * The decisions by page, then by story. The first story is shown inline, and so are others that do not collide with
 * inline stories.
 */
const decisions = new Map<string, Map<string, Decision>>()
const prepared = new Set<string>()

/**
 * Gives a story a separate frame on docs pages if its handlers would answer requests of other stories of the page. It
 * does not enhance arg types: this is the only hook that gets a story before anything is rendered.
 */
export const isolateStories: ArgTypesEnhancer = (context) => {
  const { id, name, title, parameters, initialArgs, argTypes } = context
  const { docs, understudy } = parameters as UnderstudyParameters & { docs?: { story?: { inline?: boolean } } }
  const isShownInline = docs?.story?.inline
  if (!isShownInline || understudy?.isolate === false || name === '__meta') return argTypes
  // Storybook prepares an edited story again. It may now collide with other stories.
  if (prepared.has(id)) for (const [page, known] of decisions) if (known.has(id)) decisions.delete(page)
  prepared.add(id)
  const story = Object.defineProperty({ ...docs.story }, 'inline', {
    enumerable: true,
    get: () =>
      decide(id, () => {
        // The page has one network, and a scenario applies to all of its stories.
        if (scenariosOf(parameters).length > 0) return undefined
        const read = readHandlers({ name: `${title}/${name}`, args: initialArgs, globals: {}, parameters })
        return isPromise(read) ? undefined : listOf(read)
      }),
  })
  parameters['docs'] = { ...docs, story }
  return argTypes
}

/** Called each time a docs page renders the story. The first decision stays. */
function decide(id: string, read: () => readonly Handler[] | undefined): boolean {
  const mocking = getPageMocking()
  const { id: page, known } = knownDecisions()
  if (page === undefined || !mocking) return true
  const decided = known.get(id)
  if (decided) return decided.isInline
  const handlers = read()
  const isInline = [...known.values()].every(
    (other) => !other.isInline || !doShare(mocking.network, { handlers }, other),
  )
  known.set(id, { isInline, handlers })
  return isInline
}

/** The handlers that stories of docs pages added since the last decision, by the ids of the stories. */
const additions = new Map<string, readonly Handler[]>()

/**
 * Gives a story of a docs page a separate frame if handlers that it adds while it renders would answer requests of
 * other stories. The page then mounts the other stories again, because they may have got such responses.
 */
export async function isolateAddedHandlers(
  network: Network,
  storyId: string,
  added: readonly Handler[],
): Promise<void> {
  // The story may already be in a frame, or the developer may have chosen to show it inline.
  if (!knownDecisions().known.get(storyId)?.isInline) return
  const isWaiting = additions.size > 0
  additions.set(storyId, added)
  if (isWaiting) return
  await untilRendered()
  const waiting = new Map(additions)
  additions.clear()
  const { known } = knownDecisions()
  let isMoving = false
  // Start with the last story of the page, so that the first one stays inline if all add handlers.
  for (const [moved, decided] of [...known].toReversed()) {
    const own = waiting.get(moved)
    if (!own || !decided.isInline) continue
    const handlers = decided.handlers && [...decided.handlers, ...own]
    const others = [...known].filter(([other, { isInline }]) => other !== moved && isInline)
    const isInline = !others.some(([, other]) => doShare(network, { handlers }, other))
    known.set(moved, { isInline, handlers })
    isMoving ||= !isInline
  }
  if (isMoving) await runningPreview().currentRender?.rerender?.()
}

/** Returns the open page, if it is a docs page, and the decisions about its stories. */
function knownDecisions(): { id: string | undefined; known: Map<string, Decision> } {
  const search = new URLSearchParams(location.search)
  const id = search.get('viewMode') === 'docs' ? (search.get('id') ?? '') : undefined
  const known = decisions.get(id ?? '') ?? new Map<string, Decision>()
  if (id !== undefined) decisions.set(id, known)
  return { id, known }
}

/** Returns whether two stories could get each other's responses. Unknown handlers could match any request. */
function doShare({ layers, baseUrl }: Network, one: Pick<Decision, 'handlers'>, other: Decision): boolean {
  const project = layers
    .entries()
    .filter(({ layer }) => layer === 'initial')
    .map(({ handler }) => handler)
  return !one.handlers || !other.handlers || doCollide(one.handlers, other.handlers, project, baseUrl)
}

/** In a frame of a docs page, sets the height of the frame to that of the story. */
export function fitFrame(): void {
  const frame = docsFrame()
  const holder = frame?.parentElement
  if (!holder) return
  const fit = (): void => {
    const { height } = document.body.getBoundingClientRect()
    if (height > 0) holder.style.height = `${Math.ceil(height)}px`
  }
  new ResizeObserver(fit).observe(document.body)
}

/** In a frame of a docs page, returns the mocking of that page, whose toolbar settings also apply here. */
export function outerMocking(): PageMocking | undefined {
  return docsFrame() && getPageMocking(parent)
}
