import type { LoggedConnection } from '@understudy/engine/inspect'

import { matchesWords, searchedUrl, type OutcomeFilter } from '../log/filter-requests.ts'
import type { FoundMatches } from '../log/log-search.ts'

/**
 * @param text the words of the filter, as for requests. `WS`, the URL, the state, the close code and the handlers are
 * searched
 * @param found the matches of a search in the messages
 */
export function filterConnections(
  connections: readonly LoggedConnection[],
  outcome: OutcomeFilter,
  text: string,
  found?: FoundMatches,
): readonly LoggedConnection[] {
  return connections.filter((connection) => {
    const { id, state } = connection
    if (outcome === 'pending' && state !== 'connecting') return false
    if (outcome !== 'all' && outcome !== 'mocked' && outcome !== 'pending') return false
    return matchesWords(textOfConnection(connection), text, found?.get(id))
  })
}

/** Returns the text of a connection's row that the filter searches. */
export function textOfConnection({ url, state, code, handlers }: LoggedConnection): string {
  return `WS ${searchedUrl(url)} ${state} ${code ?? ''} ${handlers.join(' ')}`
}
