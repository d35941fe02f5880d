export interface Tea {
  id: number
  name: string
  grams: number
}

async function request<Result>(path: string, init?: RequestInit): Promise<Result> {
  const response = await fetch(path, init)
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`.trim())
  return (await response.json()) as Result
}

export const listTeas = (signal?: AbortSignal) => request<Tea[]>('/api/teas', { signal })
export const readCustomer = (signal?: AbortSignal) =>
  request<{ name: string; points: number }>('/api/customer', { signal })
export const orderTea = (id: number, grams: number) =>
  request<Tea>('/api/orders', { method: 'POST', body: JSON.stringify({ id, grams }) })

/** The notes of tasters, by GraphQL. */
export async function readNotes(tea: string): Promise<string[]> {
  const { data, errors } = await request<{ data?: { notes: string[] }; errors?: { message: string }[] }>('/graphql', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ query: 'query Notes($tea: String!) { notes(tea: $tea) }', variables: { tea } }),
  })
  if (errors) throw new Error(errors[0]!.message)
  return data!.notes
}
