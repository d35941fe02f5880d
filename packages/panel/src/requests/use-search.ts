import * as React from 'react'

import { searchedWords } from '../log/filter-requests.ts'
import { LogSearch, type FoundMatches } from '../log/log-search.ts'
import { usePanel } from '../panel-context.ts'

/** The time in milliseconds after the last key press before a search starts. */
const typingPause = 150

const nothing: FoundMatches = new Map()

/**
 * Searches headers, bodies and messages for the words of a filter.
 *
 * @param items requests and connections; pass a new array after every change of the network
 */
export function useSearch(
  items: readonly { readonly id: string }[],
  filter: string,
): { readonly found: FoundMatches; readonly isSearching: boolean } {
  const { host } = usePanel()
  const words = searchedWords(filter).join(' ')
  const [state, setState] = React.useState({ found: nothing, doneWords: '' })
  const search = React.useRef<LogSearch | null>(null)
  const latest = React.useRef(items)
  const canSearch = host.search !== undefined && words !== ''

  React.useEffect(() => {
    if (!canSearch) return undefined
    const logSearch = new LogSearch(
      async (ids, list) => (await host.search?.(ids, list)) ?? [],
      words.split(' '),
      (found, isDone) =>
        setState(({ doneWords }) => ({ found, doneWords: isDone || doneWords === words ? words : '' })),
    )
    const timer = setTimeout(() => {
      search.current = logSearch
      logSearch.update(latest.current)
    }, typingPause)
    return () => {
      clearTimeout(timer)
      logSearch.stop()
      search.current = null
    }
  }, [host, words, canSearch])

  React.useEffect(() => {
    latest.current = items
    search.current?.update(items)
  }, [items])

  return { found: canSearch ? state.found : nothing, isSearching: canSearch && state.doneWords !== words }
}
