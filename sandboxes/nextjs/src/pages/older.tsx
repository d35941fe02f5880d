import { apiOrigin } from '../api-origin'

export async function getServerSideProps() {
  const response = await fetch(`${apiOrigin}/api/title`)
  return { props: (await response.json()) as { title: string } }
}

export default function Older({ title }: { readonly title: string }) {
  return <h1>{title}</h1>
}
