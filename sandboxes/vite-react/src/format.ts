const locale = 'en-GB'
const day = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short' })
const weekday = new Intl.DateTimeFormat(locale, { weekday: 'short' })
const time = new Intl.DateTimeFormat(locale, { hour: 'numeric', minute: '2-digit', hour12: true })
const longDay = new Intl.DateTimeFormat(locale, {
  weekday: 'long',
  day: 'numeric',
  month: 'long',
  year: 'numeric',
})
const pounds = new Intl.NumberFormat(locale, {
  style: 'currency',
  currency: 'GBP',
  maximumFractionDigits: 0,
})
const count = new Intl.NumberFormat(locale)

/** `14 Jan`. A date without a time would be read as UTC, hence the midnight. */
export function formatDay(date: string): string {
  return day.format(new Date(date.includes('T') ? date : `${date}T00:00`))
}

/** `Thu` */
export function formatWeekday(dateTime: string): string {
  return weekday.format(new Date(dateTime))
}

/** `7:30 pm` */
export function formatTime(dateTime: string): string {
  return time.format(new Date(dateTime))
}

/** `Thursday 14 January 2027, 7:30 pm` */
export function formatMoment(dateTime: string): string {
  return `${longDay.format(new Date(dateTime))}, ${formatTime(dateTime)}`
}

/** `14 Jan – 6 Feb` */
export function formatRun(opens: string, closes: string): string {
  return `${formatDay(opens)} – ${formatDay(closes)}`
}

/** `2 h 20 min` */
export function formatDuration(minutes: number): string {
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}

/** `£1,204` */
export function formatPrice(amount: number): string {
  return pounds.format(amount)
}

/** `1,204` */
export function formatCount(amount: number): string {
  return count.format(amount)
}

/** `Sold out`, `Last 3 seats`, `84 seats left` */
export function formatSeatsLeft(seats: number): string {
  if (seats === 0) return 'Sold out'
  if (seats === 1) return 'Last seat'
  return seats < 10 ? `Last ${seats} seats` : `${formatCount(seats)} seats left`
}
