import { useLoaderData } from 'react-router'

import { readTitle } from '../title'

export async function loader() {
  return { title: `${await readTitle()}, again` }
}

export default function Other() {
  const { title } = useLoaderData<typeof loader>()
  return <h1>{title}</h1>
}
