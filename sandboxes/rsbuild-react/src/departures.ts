export interface Departure {
  readonly id: string
  readonly to: string
  readonly at: string
}

/** Requested when the module is evaluated: nothing of the app runs earlier. */
export const departures: Promise<Departure[]> = fetch('/api/departures').then(
  (response) => response.json() as Promise<Departure[]>,
)
