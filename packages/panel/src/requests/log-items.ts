import type { EarlierPage, LoggedConnection, LoggedRequest } from '@understudy/engine/inspect'

import { filterConnections } from '../connections/filter-connections.ts'
import { formatTime } from '../format.ts'
import { filterRequests, type OutcomeFilter } from '../log/filter-requests.ts'
import type { FoundMatches } from '../log/log-search.ts'

/** Separates the log of a page from those of the tab's earlier pages. */
export interface LogDivider {
  readonly id: string
  readonly divider: string
}

/** A line of the log. */
export type LogItem = LoggedRequest | LoggedConnection | LogDivider

/** The contents of the log. */
export interface Log {
  /** The URL of the current page; `null` if there is no page. */
  readonly url: string | null
  /** The newest first. */
  readonly requests: readonly LoggedRequest[]
  /** The newest first. */
  readonly connections: readonly LoggedConnection[]
  /** The latest first. */
  readonly earlier: readonly EarlierPage[]
}

/**
 * Returns the lines that match a filter, the newest first, with a divider before each page that has lines.
 *
 * @param found the matches of a search in the details
 */
export function createLogItems(
  log: Log,
  outcome: OutcomeFilter,
  text: string,
  found?: FoundMatches,
): readonly LogItem[] {
  const filterPage = ({ requests, connections }: Pick<Log, 'requests' | 'connections'>): readonly LogItem[] =>
    byStart<LoggedRequest | LoggedConnection>(
      filterRequests(requests, outcome, text, found),
      filterConnections(connections, outcome, text, found),
    )
  const current = filterPage(log)
  if (log.earlier.length === 0) return current
  const items = [...current]
  let { url } = log
  for (const page of log.earlier) {
    const lines = filterPage(page)
    if (lines.length > 0) items.push({ id: `left ${page.leftAt}`, divider: describeLeave(page, url) }, ...lines)
    url = page.url
  }
  return items
}

/** Returns the number of lines that are requests or connections. */
export function countLines(items: readonly LogItem[]): number {
  return items.filter((item) => !isDivider(item)).length
}

export function isDivider(item: LogItem): item is LogDivider {
  return 'divider' in item
}

/** @param next the URL of the page after it */
function describeLeave({ url, leftAt }: EarlierPage, next: string | null): string {
  const at = formatTime(leftAt)
  if (next === null || withoutHash(next) === withoutHash(url)) return `Page reloaded at ${at}`
  const { origin, pathname, search } = new URL(next)
  const isSameOrigin = URL.canParse(url) && new URL(url).origin === origin
  return `Navigated to ${isSameOrigin ? '' : origin}${pathname}${search} at ${at}`
}

function withoutHash(url: string): string {
  return url.replace(/#.*/s, '')
}

/** Merges two lists that have the newest item first. */
function byStart<Item extends { readonly startedAt: number }>(
  first: readonly Item[],
  second: readonly Item[],
): readonly Item[] {
  if (second.length === 0) return first
  return [...first, ...second].toSorted((a, b) => b.startedAt - a.startedAt)
}
