import { requestJson } from './request.ts'

export interface PlaySummary {
  id: string
  title: string
  author: string
  genre: string
  tagline: string
  /** Calendar dates of the first and the last performance, `2027-01-14`. */
  opens: string
  closes: string
  /** The price of one seat, in pounds. */
  price: number
  /** The total of all performances. */
  seatsLeft: number
}

export interface Play extends PlaySummary {
  synopsis: string
  minutes: number
  cast: CastMember[]
  performances: Performance[]
}

export interface CastMember {
  role: string
  actor: string
  /** The person who plays the role if the actor cannot. */
  cover: string
}

export interface Performance {
  id: string
  /** In the theater's time zone: `2027-01-14T19:30`. */
  startsAt: string
  seatsLeft: number
}

export function getPlays(signal: AbortSignal): Promise<PlaySummary[]> {
  return requestJson('/api/plays', { signal })
}

export function getPlay(id: string, signal: AbortSignal): Promise<Play> {
  return requestJson(`/api/plays/${encodeURIComponent(id)}`, { signal })
}

export function posterUrl(id: string): string {
  return `/api/plays/${encodeURIComponent(id)}/poster.svg`
}
