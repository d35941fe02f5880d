import { requestJson } from './request.ts'

export interface SeasonReport {
  /** In pounds. */
  takings: number
  plays: PlaySales[]
}

export interface PlaySales {
  id: string
  title: string
  seatsSold: number
  seats: number
}

export interface Review {
  paper: string
  play: string
  quote: string
  /** Out of five. */
  stars: number
}

export function getSeasonReport(signal: AbortSignal): Promise<SeasonReport> {
  return requestJson('/api/reports/season', { signal })
}

export function getReviews(signal: AbortSignal): Promise<Review[]> {
  return requestJson('/api/reports/reviews', { signal })
}
