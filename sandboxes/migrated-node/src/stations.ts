import got, { HTTPError } from 'got'
import { Agent } from 'undici'

import { config } from './config.ts'

export interface Station {
  id: string
  name: string
}

const client = got.extend({ prefixUrl: config.stations, retry: { limit: 0 } })

export class StationError extends Error {}

export async function listStations(page = 1): Promise<Station[]> {
  return client.get('stations', { searchParams: { page } }).json<Station[]>()
}

export async function addStation(name: string): Promise<Station> {
  try {
    return await client.post('stations', { json: { name } }).json<Station>()
  } catch (error) {
    if (!(error instanceof HTTPError)) throw error
    const { message } = JSON.parse(error.response.body as string) as { message: string }
    throw new StationError(message, { cause: error })
  }
}

/** Follows the redirect to where the image is. */
export async function readImage(id: string): Promise<{ bytes: Buffer; url: string }> {
  const response = await client.get(`stations/${id}/image`, { responseType: 'buffer' })
  return { bytes: response.body, url: response.url }
}

/** Keeps few connections to the stations, which are slow. */
const agent = new Agent({ connections: 2 })

const send = (path: string, init: RequestInit): Promise<Response> =>
  fetch(`${config.stations}/${path}`, { ...init, dispatcher: agent } as RequestInit)

export async function removeStation(id: string): Promise<boolean> {
  const { status } = await send(`stations/${id}`, { method: 'DELETE' })
  return status === 204
}

export async function upload(id: string, name: string, text: string): Promise<unknown> {
  const form = new FormData()
  form.append('station', id)
  form.append('file', new File([text], name, { type: 'text/csv' }))
  const response = await send('uploads', { method: 'POST', body: form })
  return response.json()
}

/** Signs in, and sends the cookie of the session with the next request. */
export async function readSecret(key: string): Promise<string> {
  const { headers } = await send('session', { method: 'POST', body: JSON.stringify({ key }) })
  const [cookie = ''] = headers.getSetCookie().map((text) => text.split(';')[0])
  const response = await send('secret', { headers: { cookie } })
  return response.text()
}
