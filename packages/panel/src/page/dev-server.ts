import type { HandlerSaver } from '../panel-host.ts'
import { checkAnswer, createSaver } from '../save/create-saver.ts'
import { placesLimit, type LocatedPlace, type SourcePlace } from '../server/located-place.ts'
import { pageFacts } from './page-facts.ts'

/** In a frame of the app's page, the app's handlers would answer the panel's requests. */
const unmocked = { Accept: '*/*, understudy/passthrough' }

/** The key in the session storage of the last token that the dev server refused. */
const refusedKey = 'understudy:refused-token'

/**
 * Sends a request that the dev server answers only for its own panel.
 *
 * @throws if the dev server does not answer
 */
export async function askServer(what: string, body = '', init: RequestInit = {}): Promise<Response> {
  const response = await fetch(`${pageFacts.base}__understudy/${what}`, {
    ...init,
    method: 'POST',
    headers: { ...unmocked, 'Content-Type': 'application/json', 'X-Understudy-Token': pageFacts.token },
    body,
  })
  // The server was restarted: the page of this run has its token. If the server refuses a page with the same token
  // again, a proxy changes the requests, and the page would reload endlessly.
  if (response.status === 403 && sessionStorage.getItem(refusedKey) !== pageFacts.token) {
    sessionStorage.setItem(refusedKey, pageFacts.token)
    location.reload()
  }
  return checkAnswer(response)
}

/** Asks the dev server for the source positions of places. Places without an answer stay unchanged. */
export async function locate(
  places: readonly SourcePlace[],
): Promise<readonly ((LocatedPlace & { file: string }) | null)[]> {
  const located: ((LocatedPlace & { file: string }) | null)[] = []
  try {
    for (let start = 0; start < places.length; start += placesLimit) {
      const body = JSON.stringify({ places: places.slice(start, start + placesLimit) })
      const answer = (await (await askServer('locate', body)).json()) as { places: readonly (LocatedPlace | null)[] }
      for (const place of answer.places) located.push(place && { ...place, file: place.name })
    }
  } catch {
    // Places without an answer stay unchanged.
  }
  return located
}

/** Asks the dev server for the code around a place; `null` if it is unknown. */
export async function readExcerpt(place: SourcePlace): Promise<string | null> {
  const answer = await askServer('excerpt', JSON.stringify({ places: [place] }))
  const { places } = (await answer.json()) as { places: readonly ({ code: string | null } | null)[] }
  return places[0]?.code ?? null
}

/** Opens a place in the developer's editor, with the build tool's own endpoint. */
export function openInEditor({ file, line, column }: SourcePlace): void {
  fetch(pageFacts.editor + encodeURIComponent(`${file}:${line}:${column}`), { headers: unmocked }).catch(() => {
    // The dev server does not run. Its own client reports this in the app.
  })
}

/** Saves handlers through the dev server. */
export const saver: HandlerSaver = createSaver((body) => askServer('save', body))
