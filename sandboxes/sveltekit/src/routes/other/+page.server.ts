const api = process.env.API_ORIGIN ?? 'http://127.0.0.1:4999'

export async function load() {
  const response = await fetch(`${api}/api/title`)
  const { text } = (await response.json()) as { text: string }
  return { title: `${text}, again` }
}
