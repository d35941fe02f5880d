import type { ReactElement } from 'react'

import { getBoat } from '../api/harbour.ts'
import { useLoaded } from '../api/use-loaded.ts'

export interface BoatCardProps {
  id: string
}

/** One boat, by its number in the register. */
export function BoatCard({ id }: BoatCardProps): ReactElement {
  const boat = useLoaded(id, getBoat)
  return (
    <section className="card" aria-busy={boat.state === 'loading'}>
      {boat.state === 'loading' && <p className="notice">Looking up {id}…</p>}
      {boat.state === 'failed' && (
        <p className="failure" role="alert">
          {boat.reason}
        </p>
      )}
      {boat.state === 'ready' && (
        <>
          <h2>{boat.value.name}</h2>
          <p className="notice">
            {boat.value.length} m, berth {boat.value.berth}
          </p>
        </>
      )}
    </section>
  )
}
