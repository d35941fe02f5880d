import { component$, useSignal, useVisibleTask$ } from '@builder.io/qwik'
import { routeLoader$ } from '@builder.io/qwik-city'

export const useTitle = routeLoader$(async () => {
  const response = await fetch(`${process.env.API_ORIGIN ?? 'http://127.0.0.1:4999'}/api/title`)
  return ((await response.json()) as { text: string }).text
})

export default component$(() => {
  const title = useTitle()
  const seats = useSignal('…')
  useVisibleTask$(async () => {
    const response = await fetch('/api/seats')
    seats.value = String(((await response.json()) as { left: number }).left)
  })
  return (
    <>
      <h1>{title.value}</h1>
      <p>{`${seats.value} seats left`}</p>
    </>
  )
})
