import { createAsync, query } from '@solidjs/router'
import { createSignal, onMount } from 'solid-js'

const readTitle = query(async () => {
  'use server'
  const response = await fetch(`${process.env.API_ORIGIN ?? 'http://127.0.0.1:4999'}/api/title`)
  return ((await response.json()) as { text: string }).text
}, 'title')

export const route = { preload: () => readTitle() }

export default function Home() {
  const title = createAsync(() => readTitle(), { deferStream: true })
  const [seats, setSeats] = createSignal('…')
  onMount(() => {
    void fetch('/api/seats')
      .then((response) => response.json() as Promise<{ left: number }>)
      .then(({ left }) => setSeats(String(left)))
  })
  return (
    <>
      <h1>{title()}</h1>
      <p>{`${seats()} seats left`}</p>
    </>
  )
}
