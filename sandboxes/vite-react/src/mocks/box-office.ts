import type { Booking, BookingRequest } from '../api/bookings.ts'
import type { Play, PlaySummary } from '../api/plays.ts'
import type { SeasonReport } from '../api/reports.ts'
import type { SeatsLeft } from '../api/seats.ts'
import type { User } from '../api/session.ts'
import plays from './fixtures/plays.json'

/** A play in the fixture. Missing fields are derived below. */
type PlayRecord = (typeof plays)[number]
type PerformanceRecord = PlayRecord['performances'][number]

const mostSeats = 8

/** The bookings since the page was loaded. A reload drops them. */
let bookings: readonly BookingRequest[] = []

export function listBookings(): readonly BookingRequest[] {
  return bookings
}

export function replaceBookings(next: readonly BookingRequest[]): void {
  bookings = next
}

const members: Array<User & { password: string }> = [
  { name: 'Ada Lovelace', email: 'ada@example.com', password: 'break-a-leg' },
]

export function listPlays(): PlaySummary[] {
  return plays.map(toSummary)
}

export function findPlay(id: string): Play | undefined {
  const record = plays.find((play) => play.id === id)
  if (!record) return undefined
  const { synopsis, minutes, cast } = record
  const performances = record.performances.map((performance) => ({
    id: performance.id,
    startsAt: performance.startsAt,
    seatsLeft: countSeatsLeft(performance),
  }))
  return { ...toSummary(record), synopsis, minutes, cast, performances }
}

export function listSeatsLeft(play: Play): SeatsLeft {
  return Object.fromEntries(play.performances.map(({ id, seatsLeft }) => [id, seatsLeft]))
}

/** Returns the errors of a booking by field: an empty record if it is valid. */
export function checkBooking({ playId, performanceId, seats, name, email }: BookingRequest): Record<string, string> {
  const errors: Record<string, string> = {}
  const performance = findPlay(playId)?.performances.find(({ id }) => id === performanceId)
  if (!performance) {
    errors.performanceId = 'Choose a performance.'
  } else if (performance.seatsLeft === 0) {
    errors.performanceId = 'This performance has just sold out. Choose another one.'
  }
  if (!Number.isInteger(seats) || seats < 1 || seats > mostSeats) {
    errors.seats = `Book between 1 and ${mostSeats} seats.`
  } else if (performance && performance.seatsLeft > 0 && seats > performance.seatsLeft) {
    const left = performance.seatsLeft === 1 ? 'one seat' : `${performance.seatsLeft} seats`
    errors.seats = `This performance has only ${left} left.`
  }
  if (name.trim() === '') errors.name = 'Say whose name goes on the tickets.'
  if (!/^\S+@\S+\.\S+$/.test(email)) {
    errors.email = 'Enter an e-mail address, such as ada@example.com.'
  }
  return errors
}

/** Stores a booking that {@link checkBooking} accepted. */
export function takeBooking(booking: BookingRequest): Booking {
  const { playId, performanceId, seats, name } = booking
  const play = findPlay(playId)
  const performance = play?.performances.find(({ id }) => id === performanceId)
  if (!play || !performance) {
    throw new Error(`No performance "${performanceId}" of "${playId}" to book`)
  }
  bookings = [...bookings, booking]
  return {
    reference: `GL-${1041 + bookings.length}`,
    playTitle: play.title,
    startsAt: performance.startsAt,
    seats,
    total: play.price * seats,
    name,
  }
}

export function reportSeason(): SeasonReport {
  const sales = plays.map(({ id, title, price, performances }) => {
    const seats = sum(performances.map((performance) => performance.seats))
    const seatsSold = seats - sum(performances.map(countSeatsLeft))
    return { id, title, price, seats, seatsSold }
  })
  return {
    takings: sum(sales.map(({ price, seatsSold }) => price * seatsSold)),
    plays: sales.map(({ id, title, seats, seatsSold }) => ({ id, title, seats, seatsSold })),
  }
}

export function findMember(email: string | undefined): User | undefined {
  const member = members.find((each) => each.email === email)
  return member && { name: member.name, email: member.email }
}

export function isPassword(email: string, password: string): boolean {
  return members.some((member) => member.email === email && member.password === password)
}

function toSummary(record: PlayRecord): PlaySummary {
  const { id, title, author, genre, tagline, price, performances } = record
  const dates = performances.map(({ startsAt }) => startsAt.slice(0, 10))
  return {
    id,
    title,
    author,
    genre,
    tagline,
    price,
    opens: dates.at(0) ?? '',
    closes: dates.at(-1) ?? '',
    seatsLeft: sum(performances.map(countSeatsLeft)),
  }
}

function countSeatsLeft({ id, seats, seatsSold }: PerformanceRecord): number {
  const booked = bookings.filter(({ performanceId }) => performanceId === id)
  return seats - seatsSold - sum(booked.map((booking) => booking.seats))
}

function sum(amounts: number[]): number {
  return amounts.reduce((total, amount) => total + amount, 0)
}
