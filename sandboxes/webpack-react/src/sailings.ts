export interface Sailing {
  id: string
  /** `'08:15'` */
  departs: string
  from: string
  to: string
  seats: number
}

export interface Settings {
  operator: string
}

async function get<Value>(path: string): Promise<Value> {
  const response = await fetch(path)
  if (!response.ok) throw new Error(`${path} answered ${response.status}.`)
  return (await response.json()) as Value
}

/** Requested while modules load. */
export const sailings: Promise<Sailing[]> = get('/api/sailings')

declare global {
  interface Window {
    /** Requested by a script of the page. */
    settings: Promise<Settings>
  }
}
