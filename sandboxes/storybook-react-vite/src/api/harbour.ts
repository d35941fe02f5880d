import { requestJson, sendJson } from './request.ts'

export interface Boat {
  id: string
  name: string
  /** Metres. */
  length: number
  berth: string
}

export interface Tide {
  time: string
  /** Metres above datum. */
  height: number
}

export const listBoats = (path: string): Promise<Boat[]> => requestJson(path)
export const getBoat = (id: string): Promise<Boat> => requestJson(`/api/boats/${encodeURIComponent(id)}`)
export const getSession = (path: string): Promise<{ name: string | null }> => requestJson(path)
export const signIn = (name: string, password: string): Promise<void> => sendJson('/api/session', { name, password })
export const bookBerth = (boat: string, nights: number): Promise<{ berth: string }> =>
  sendJson('/api/bookings', { boat, nights })

export async function listTides(harbour: string): Promise<Tide[]> {
  const { data, errors } = await sendJson<{ data?: { tides: Tide[] }; errors?: { message: string }[] }>('/graphql', {
    query: 'query Tides($harbour: String!) { tides(harbour: $harbour) { time height } }',
    variables: { harbour },
  })
  if (errors?.[0]) throw new Error(errors[0].message)
  return data?.tides ?? []
}
