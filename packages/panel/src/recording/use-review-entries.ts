import * as React from 'react'

import { usePanel } from '../panel-context.ts'
import type { PanelHost, PanelState } from '../panel-host.ts'
import { harError, harLimit, parseHar } from './parse-har.ts'
import { isFinal, toReviewEntry, type ReviewEntry, type ReviewSource } from './review-entry.ts'

/** What the review shows. */
export interface Review {
  /** The oldest first. */
  readonly entries: readonly ReviewEntry[]
  /** Notes about entries that were left out, in sentences. */
  readonly notes: readonly string[]
}

/** Reads the entries of a review. Reads responses that are still arriving again after every change of the network. */
export function useReviewEntries(
  source: ReviewSource,
  state: PanelState,
): { readonly review: Review | null; readonly error: string | null } {
  const { host } = usePanel()
  const [review, setReview] = React.useState<Review | null>(null)
  const [error, setError] = React.useState<string | null>(null)
  // The host changes when the app's page is reloaded, but the entries stay. Catch the rejection now: an effect runs
  // after the next frame, and until then, the rejection would be an uncaught error.
  const [reading] = React.useState(() => readSource(source, host).catch((thrown: Error) => thrown.message))
  React.useEffect(() => {
    void reading.then((read) => {
      if (typeof read === 'string') setError(read)
      else setReview(read)
    })
  }, [reading])
  const isRead = review !== null
  React.useEffect(() => {
    if (!isRead) return undefined
    let isWanted = true
    void readAgain(review.entries, state, host).then((entries) => {
      if (isWanted && entries) setReview({ ...review, entries })
    })
    return () => {
      isWanted = false
    }
    // Do not read the review again until the network changes.
  }, [state, isRead])
  return { review, error }
}

/** @throws {Error} if the source is a file that is not an HTTP archive */
async function readSource(source: ReviewSource, host: PanelHost): Promise<Review> {
  if (source instanceof File) {
    if (source.size > harLimit) throw harError(source.name, 'it is larger than 50 MB')
    const { exchanges, notes } = parseHar(await source.text(), source.name)
    return { entries: exchanges.map(({ request, details }) => toReviewEntry(request, details, host)), notes }
  }
  const entries: ReviewEntry[] = []
  for (const request of source.toSorted((one, other) => one.startedAt - other.startedAt)) {
    // The page of an earlier request may be closed.
    entries.push(toReviewEntry(request, await host.details(request.id).catch(() => null), host))
  }
  return { entries, notes: [] }
}

/** @returns `undefined` if nothing is still arriving */
async function readAgain(
  entries: readonly ReviewEntry[],
  { requests }: PanelState,
  host: PanelHost,
): Promise<readonly ReviewEntry[] | undefined> {
  const pending = new Set(entries.filter((entry) => !isFinal(entry)))
  if (pending.size === 0) return undefined
  return Promise.all(
    entries.map(async (entry) => {
      const request = requests.find(({ id }) => id === entry.request.id)
      if (!pending.has(entry) || !request) return entry
      return toReviewEntry(request, await host.details(request.id).catch(() => entry.details), host)
    }),
  )
}
