export interface Buoy {
  id: string
  name: string
  /** Degrees Celsius. */
  temperature: number
}

/** Requested while modules load. */
export const buoys: Promise<Buoy[]> = fetch('/api/buoys').then((response) => response.json() as Promise<Buoy[]>)

/**
 * Sets the temperature above which a buoy calls.
 *
 * @returns the response of the station
 */
export async function setAlarm(degrees: number): Promise<string> {
  const response = await fetch('/api/alarm', { method: 'PUT', body: JSON.stringify({ degrees }) })
  return ((await response.json()) as { message: string }).message
}
