import { useEffect, useState } from 'react'
import { Link, useLoaderData } from 'react-router'

import { readTitle } from '../title'

export async function loader() {
  return { title: await readTitle() }
}

export default function Home() {
  const { title } = useLoaderData<typeof loader>()
  const [seats, setSeats] = useState('…')
  useEffect(() => {
    void fetch('/api/seats')
      .then((response) => response.json() as Promise<{ left: number }>)
      .then(({ left }) => setSeats(String(left)))
  }, [])
  return (
    <>
      <title>{title}</title>
      <h1>{title}</h1>
      <p>{seats} seats left</p>
      <Link to="/other">Other page</Link>
    </>
  )
}
