'use client'

import { useEffect, useState } from 'react'

export function Seats({ book }: { readonly book: (seat: string) => Promise<string> }) {
  const [left, setLeft] = useState<number>()
  const [notice, setNotice] = useState('')

  useEffect(() => {
    void fetch('/api/seats')
      .then((response) => response.json() as Promise<{ left: number }>)
      .then((seats) => setLeft(seats.left))
  }, [])

  return (
    <section>
      <p>{left === undefined ? 'Asking' : `${left} seats left`}</p>
      <button onClick={() => void book('12A').then(setNotice)}>Book</button>
      <p role="status">{notice}</p>
    </section>
  )
}
