'use client'

import { useEffect, useState } from 'react'

/** Asks the API, which has another origin, for the seats. */
export function Seats({ origin }: { readonly origin: string }) {
  const [left, setLeft] = useState<number>()

  useEffect(() => {
    void fetch(`${origin}/api/seats`)
      .then((response) => response.json() as Promise<{ left: number }>)
      .then((seats) => setLeft(seats.left))
  }, [origin])

  return <p>{left === undefined ? 'Asking' : `${left} seats left`}</p>
}
