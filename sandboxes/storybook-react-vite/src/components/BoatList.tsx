import type { ReactElement } from 'react'

import { listBoats } from '../api/harbour.ts'
import { useLoaded } from '../api/use-loaded.ts'

/** The boats in the harbour today. */
export function BoatList(): ReactElement {
  const boats = useLoaded('/api/boats', listBoats)
  return (
    <section className="card">
      <h2>In the harbour</h2>
      {boats.state === 'loading' && <p className="notice">Loading boats…</p>}
      {boats.state === 'failed' && (
        <p className="failure" role="alert">
          The boats could not be loaded: {boats.reason}
        </p>
      )}
      {boats.state === 'ready' && boats.value.length === 0 && <p className="notice">No boats today.</p>}
      {boats.state === 'ready' && boats.value.length > 0 && (
        <ul className="boats">
          {boats.value.map(({ id, name, berth }) => (
            <li key={id}>
              <span>{name}</span>
              <span>{berth}</span>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
