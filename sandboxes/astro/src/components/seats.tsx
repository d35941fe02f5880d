import { useEffect, useState } from 'react'

export function Seats() {
  const [seats, setSeats] = useState('…')
  useEffect(() => {
    void fetch('/api/seats')
      .then((response) => response.json() as Promise<{ left: number }>)
      .then(({ left }) => setSeats(String(left)))
  }, [])
  return <p>{seats} seats left</p>
}
