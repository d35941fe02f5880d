import type { LoggedRequest, SearchMatch } from '@understudy/engine/inspect'

import { decodeUrl } from '../decode-url.ts'
import type { FoundMatches } from './log-search.ts'

/** The filter by the outcome of requests. */
export type OutcomeFilter = 'all' | 'mocked' | 'failed' | 'network' | 'unhandled' | 'recorded' | 'pending'

export const outcomeFilters: readonly { readonly value: OutcomeFilter; readonly label: string }[] = [
  { value: 'all', label: 'All' },
  { value: 'mocked', label: 'Mocked' },
  { value: 'failed', label: 'Errors' },
  { value: 'network', label: 'Network' },
  { value: 'unhandled', label: 'Unhandled' },
  { value: 'recorded', label: 'Recorded' },
  { value: 'pending', label: 'Pending' },
]

const tests: Readonly<Record<OutcomeFilter, (request: LoggedRequest) => boolean>> = {
  all: () => true,
  mocked: ({ outcome }) => outcome === 'mocked',
  failed: ({ outcome, status, graphqlErrors }) =>
    outcome === 'network-error' || (status ?? 0) >= 400 || graphqlErrors !== undefined,
  network: ({ outcome }) => outcome === 'passthrough' || outcome === 'unhandled',
  unhandled: (request) => isUnhandled(request),
  recorded: ({ isRecorded }) => isRecorded === true,
  pending: ({ outcome }) => outcome === 'pending',
}

/** Returns whether the request is unhandled and a handler for it would be useful. */
export function isUnhandled({ suggestion }: LoggedRequest): boolean {
  return suggestion !== null
}

/**
 * @param text words that must be in the row or in the details. A row with a word that has `-` in front of it is left
 * out
 * @param found the matches of a search in the details
 */
export function filterRequests(
  requests: readonly LoggedRequest[],
  outcome: OutcomeFilter,
  text: string,
  found?: FoundMatches,
): readonly LoggedRequest[] {
  if (outcome === 'all' && text.trim() === '') return requests
  return requests.filter((request) => {
    if (!tests[outcome](request)) return false
    return matchesWords(textOfRequest(request), text, found?.get(request.id))
  })
}

/** Returns the text of a request's row that the filter searches. */
export function textOfRequest({ method, url, name, status, handler }: LoggedRequest): string {
  return `${method} ${searchedUrl(url)} ${name ?? ''} ${status ?? ''} ${handler?.header ?? ''}`
}

/** A URL as it is and as it is shown: both can be searched. */
export function searchedUrl(url: string): string {
  const shown = decodeUrl(url)
  return shown === url ? url : `${url} ${shown}`
}

/**
 * Returns whether a text contains every word of a filter, and no word that has a minus sign in front of it. Case does
 * not matter.
 *
 * @param matches the matches in the details. These words do not have to be in the text
 */
export function matchesWords(searched: string, filter: string, matches: readonly SearchMatch[] = []): boolean {
  const lower = searched.toLowerCase()
  return toWords(filter).every((word) =>
    isExcluded(word)
      ? !lower.includes(word.slice(1))
      : lower.includes(word) || matches.some((match) => match.word === word),
  )
}

/** Returns the words of a filter that are searched in details: those with at least two characters. */
export function searchedWords(filter: string): readonly string[] {
  return toWords(filter).filter((word) => word.length > 1 && !isExcluded(word))
}

/** The same list, so that a row without matches is not rendered again. */
const noMatches: readonly SearchMatch[] = []

/** Returns the matches of the filter's words that are not in the text of the row. */
export function matchesToShow(
  searched: string,
  filter: string,
  matches: readonly SearchMatch[] = noMatches,
): readonly SearchMatch[] {
  if (matches.length === 0) return noMatches
  const lower = searched.toLowerCase()
  const words = searchedWords(filter)
  return matches.filter(({ word }) => words.includes(word) && !lower.includes(word))
}

function toWords(filter: string): readonly string[] {
  return [...new Set(filter.toLowerCase().split(/\s+/).filter(Boolean))]
}

function isExcluded(word: string): boolean {
  return word.startsWith('-') && word.length > 1
}
