import { apiOrigin } from '../api-origin'
import { Seats } from '../seats'

export async function getServerSideProps() {
  const response = await fetch(`${apiOrigin}/api/title`)
  return { props: { ...((await response.json()) as { title: string }), origin: apiOrigin } }
}

export default function Older({ title, origin }: { readonly title: string; readonly origin: string }) {
  return (
    <main>
      <h1>{title}</h1>
      <Seats origin={origin} />
    </main>
  )
}
