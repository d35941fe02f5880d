import type { LoggedRequest } from '@understudy/engine/inspect'

/** Which requests are shown: by what became of them. */
export type OutcomeFilter = 'all' | 'mocked' | 'failed' | 'network' | 'missed'

export const outcomeFilters: readonly { readonly value: OutcomeFilter; readonly label: string }[] = [
  { value: 'all', label: 'All' },
  { value: 'mocked', label: 'Mocked' },
  { value: 'failed', label: 'Errors' },
  { value: 'network', label: 'Network' },
  { value: 'missed', label: 'Missed' },
]

const tests: Readonly<Record<OutcomeFilter, (request: LoggedRequest) => boolean>> = {
  all: () => true,
  mocked: ({ outcome }) => outcome === 'mocked',
  failed: ({ outcome, status }) => outcome === 'network-error' || (status ?? 0) >= 400,
  network: ({ outcome }) => outcome === 'passthrough' || outcome === 'unhandled',
  missed: (request) => isMiss(request),
}

/** Whether no handler matched, and somebody could want one. */
export function isMiss({ suggestion }: LoggedRequest): boolean {
  return suggestion !== null
}

/** @param text words that method, URL, name, status and handler hold together; `-word`: none of them holds it */
export function filterRequests(
  requests: readonly LoggedRequest[],
  outcome: OutcomeFilter,
  text: string,
): readonly LoggedRequest[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  if (outcome === 'all' && words.length === 0) return requests
  return requests.filter((request) => {
    if (!tests[outcome](request)) return false
    const { method, url, name, status, handler } = request
    const searched = `${method} ${url} ${name ?? ''} ${status ?? ''} ${handler?.header ?? ''}`.toLowerCase()
    return words.every((word) =>
      word.startsWith('-') && word.length > 1 ? !searched.includes(word.slice(1)) : searched.includes(word),
    )
  })
}
