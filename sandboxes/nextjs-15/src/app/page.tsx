import { apiOrigin } from '../api-origin'
import { Seats } from '../seats'

export const dynamic = 'force-dynamic'

export default async function Page() {
  const response = await fetch(`${apiOrigin}/api/title`, { cache: 'no-store' })
  const { title } = (await response.json()) as { title: string }
  return (
    <main>
      <h1>{title}</h1>
      <Seats origin={apiOrigin} />
    </main>
  )
}
