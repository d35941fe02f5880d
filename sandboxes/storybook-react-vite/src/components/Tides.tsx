import type { ReactElement } from 'react'

import { listTides } from '../api/harbour.ts'
import { useLoaded } from '../api/use-loaded.ts'

/** The day's tides, by GraphQL. */
export function Tides({ harbour }: { harbour: string }): ReactElement {
  const tides = useLoaded(harbour, listTides)
  return (
    <section className="card">
      <h2>Tides in {harbour}</h2>
      {tides.state === 'loading' && <p className="notice">Loading tides…</p>}
      {tides.state === 'failed' && (
        <p className="failure" role="alert">
          {tides.reason}
        </p>
      )}
      {tides.state === 'ready' && (
        <ul className="boats">
          {tides.value.map(({ time, height }) => (
            <li key={time}>
              <span>{time}</span>
              <span>{height.toFixed(1)} m</span>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
