import { requestJson } from './request.ts'

export interface Season {
  name: string
  years: string
  motto: string
}

/** Every page opens with the season, so its request leaves while the rest of the app is still loading. */
export const seasonRequest: Promise<Season> = requestJson<Season>('/api/season')
