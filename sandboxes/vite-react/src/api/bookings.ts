import { jsonBody, requestJson } from './request.ts'

/** The data of the form. The box office returns its errors. */
export interface BookingRequest {
  playId: string
  performanceId: string
  seats: number
  name: string
  email: string
}

export interface Booking {
  reference: string
  playTitle: string
  startsAt: string
  seats: number
  /** In pounds. */
  total: number
  name: string
}

export function bookSeats(booking: BookingRequest): Promise<Booking> {
  return requestJson('/api/bookings', jsonBody('POST', booking))
}
