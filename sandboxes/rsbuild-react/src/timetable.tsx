import { useEffect, useState } from 'react'

import { departures, type Departure } from './departures.ts'

export function Timetable() {
  const [list, setList] = useState<readonly Departure[]>([])
  const [notice, setNotice] = useState('')

  useEffect(() => {
    departures.then(setList, () => setNotice('There is no timetable.'))
  }, [])

  async function book(id: string): Promise<void> {
    const response = await fetch('/api/bookings', { method: 'POST', body: JSON.stringify({ id }) })
    const { text } = (await response.json()) as { text: string }
    setNotice(text)
  }

  return (
    <main>
      <h1>The ferries</h1>
      <ul>
        {list.map(({ id, to, at }) => (
          <li key={id}>
            {at} {to} <button onClick={() => void book(id)}>Book</button>
          </li>
        ))}
      </ul>
      <p role="status">{notice}</p>
    </main>
  )
}
