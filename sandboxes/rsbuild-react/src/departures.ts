export interface Departure {
  readonly id: string
  readonly to: string
  readonly at: string
}

/** Requested when the module is evaluated, before the rest of the app runs. */
export const departures: Promise<Departure[]> = fetch('/api/departures').then(
  (response) => response.json() as Promise<Departure[]>,
)
