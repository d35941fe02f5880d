'use server'

import { apiOrigin } from '../api-origin'

export async function book(seat: string): Promise<string> {
  const response = await fetch(`${apiOrigin}/api/bookings`, { method: 'POST', body: seat, cache: 'no-store' })
  const { booked } = (await response.json()) as { booked: string }
  return `Booked: ${booked}`
}
