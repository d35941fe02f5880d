import { useState, type SubmitEvent, type ReactElement } from 'react'

import { bookBerth } from '../api/harbour.ts'

type State = { at: 'input' } | { at: 'sending' } | { at: 'booked'; berth: string } | { at: 'failed'; reason: string }

/** Books a berth for some nights. */
export function BerthForm(): ReactElement {
  const [state, setState] = useState<State>({ at: 'input' })

  function submit(event: SubmitEvent<HTMLFormElement>): void {
    event.preventDefault()
    const fields = new FormData(event.currentTarget)
    setState({ at: 'sending' })
    bookBerth(fields.get('boat') as string, Number(fields.get('nights'))).then(
      ({ berth }) => setState({ at: 'booked', berth }),
      (error: Error) => setState({ at: 'failed', reason: error.message }),
    )
  }

  if (state.at === 'booked') return <p className="card">Berth {state.berth} is yours.</p>
  return (
    <form className="card" onSubmit={submit}>
      <h2>Book a berth</h2>
      <label className="field">
        Boat
        <input name="boat" required />
      </label>
      <label className="field">
        Nights
        <input name="nights" type="number" min="1" defaultValue="1" />
      </label>
      {state.at === 'failed' && (
        <p className="failure" role="alert">
          {state.reason}
        </p>
      )}
      <button disabled={state.at === 'sending'}>{state.at === 'sending' ? 'Booking…' : 'Book'}</button>
    </form>
  )
}
