import { requestJson } from './request.ts'

export interface Season {
  name: string
  years: string
  motto: string
}

/** Every page needs the season first, so its request is sent while the rest of the app loads. */
export const seasonRequest: Promise<Season> = requestJson<Season>('/api/season')
