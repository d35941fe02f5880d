import { useState } from 'react'

import type { Sailing } from './sailings.ts'

/** Books one seat, or shows why the harbour refuses it. */
export function BookingForm({ sailings }: { sailings: readonly Sailing[] }) {
  const [answer, setAnswer] = useState('')
  const [name, setName] = useState('')
  const [sailing, setSailing] = useState(sailings[0]?.id)

  async function book(): Promise<void> {
    const response = await fetch('/api/bookings', { method: 'POST', body: JSON.stringify({ name, sailing }) })
    const { message } = (await response.json()) as { message: string }
    setAnswer(message)
  }

  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        void book()
      }}
    >
      <h2>Book a seat</h2>
      <label>
        Name <input value={name} onChange={({ target }) => setName(target.value)} />
      </label>
      <label>
        Sailing{' '}
        <select value={sailing} onChange={({ target }) => setSailing(target.value)}>
          {sailings.map(({ id, departs, to }) => (
            <option key={id} value={id}>
              {departs} to {to}
            </option>
          ))}
        </select>
      </label>
      <button>Book</button>
      <output>{answer}</output>
    </form>
  )
}
