import { createFileRoute } from '@tanstack/react-router'
import { createServerFn } from '@tanstack/react-start'
import { useEffect, useState } from 'react'

const readTitle = createServerFn().handler(async () => {
  const response = await fetch(`${process.env.API_ORIGIN ?? 'http://127.0.0.1:4999'}/api/title`)
  return ((await response.json()) as { text: string }).text
})

export const Route = createFileRoute('/')({ loader: () => readTitle(), component: Home })

function Home() {
  const title = Route.useLoaderData()
  const [seats, setSeats] = useState('…')
  useEffect(() => {
    void fetch('/api/seats')
      .then((response) => response.json() as Promise<{ left: number }>)
      .then(({ left }) => setSeats(String(left)))
  }, [])
  return (
    <>
      <h1>{title}</h1>
      <p>{seats} seats left</p>
    </>
  )
}
