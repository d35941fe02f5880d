import { useMutation, useQuery } from '@apollo/client'
import { useState, type FormEvent } from 'react'

import { listBeds, plantBed, waterBed, type Bed } from './operations'

export function Garden() {
  const [dry, setDry] = useState(false)
  const { data, loading, error, refetch } = useQuery<{ beds: Bed[] }>(listBeds, {
    variables: { dry },
    notifyOnNetworkStatusChange: true,
  })
  const [water, watering] = useMutation<{ waterBed: Bed }>(waterBed)
  const [plant, planting] = useMutation<{ plantBed: Bed }>(plantBed, { refetchQueries: ['ListBeds'] })

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const field = event.currentTarget.querySelector('input')!
    void plant({ variables: { input: { plant: field.value } } }).catch(() => {})
  }

  if (error) {
    return (
      <p role="alert">
        {error.message} <button onClick={() => void refetch().catch(() => {})}>Again</button>
      </p>
    )
  }
  if (loading && !data) return <p>Looking at the beds…</p>
  return (
    <main>
      <label>
        Only dry ones <input type="checkbox" checked={dry} onChange={(event) => setDry(event.target.checked)} />
      </label>
      <ul>
        {data?.beds.map(({ id, plant: name, watered }) => (
          <li key={id}>
            {name} is {watered ? 'watered' : 'dry'}
            {!watered && (
              <button onClick={() => void water({ variables: { id } }).catch(() => {})}>Water {name}</button>
            )}
          </li>
        ))}
      </ul>
      <form onSubmit={submit}>
        <input aria-label="Plant" />
        <button>Plant</button>
      </form>
      {(watering.error ?? planting.error) && <p role="alert">{(watering.error ?? planting.error)!.message}</p>}
    </main>
  )
}
