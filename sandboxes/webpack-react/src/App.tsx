import { Suspense, use } from 'react'

import { BookingForm } from './BookingForm.tsx'
import { Notices } from './Notices.tsx'
import { sailings } from './sailings.ts'

export function App() {
  return (
    <Suspense fallback={<p>Looking at the tide…</p>}>
      <Timetable />
    </Suspense>
  )
}

function Timetable() {
  const { operator } = use(window.settings)
  return (
    <main>
      <h1>The island ferry</h1>
      <p>Sailed by {operator}</p>
      <Notices />
      <table>
        <thead>
          <tr>
            <th>Departs</th>
            <th>From</th>
            <th>To</th>
            <th>Seats</th>
          </tr>
        </thead>
        <tbody>
          {use(sailings).map(({ id, departs, from, to, seats }) => (
            <tr key={id}>
              <td>{departs}</td>
              <td>{from}</td>
              <td>{to}</td>
              <td>{seats}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <BookingForm sailings={use(sailings)} />
    </main>
  )
}
