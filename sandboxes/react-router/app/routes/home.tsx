import { useEffect, useState } from 'react'
import { useLoaderData } from 'react-router'

const api = () => process.env.API_ORIGIN ?? 'http://127.0.0.1:4999'

export async function loader() {
  const response = await fetch(`${api()}/api/title`)
  const { text } = (await response.json()) as { text: string }
  return { title: text }
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
    </>
  )
}
