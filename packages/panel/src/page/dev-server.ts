import type { LocatedPlace, SourcePlace } from '../server/located-place.ts'
import { pageFacts } from './page-facts.ts'

/** Asks the dev server where places were written. Where it does not say, they stay as the page names them. */
export async function locate(
  places: readonly SourcePlace[],
): Promise<readonly ((LocatedPlace & { file: string }) | null)[]> {
  try {
    const response = await fetch(`${pageFacts.base}__understudy/locate`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'X-Understudy-Token': pageFacts.token },
      body: JSON.stringify({ places }),
    })
    // The server was started anew since: the page of this run has its token.
    if (response.status === 403) location.reload()
    if (!response.ok) return []
    const answer = (await response.json()) as { places: readonly (LocatedPlace | null)[] }
    return answer.places.map((place) => place && { ...place, file: place.name })
  } catch {
    return []
  }
}

/** Opens a place in the developer's editor, by the build tool's own endpoint. */
export function openInEditor(place: string): void {
  fetch(pageFacts.editor + encodeURIComponent(place)).catch(() => {
    // The dev server is gone; its own client says so in the app.
  })
}
