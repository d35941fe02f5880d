/** A parsed `Set-Cookie` header. Names and values are the bytes of the header, not decoded. */
export interface SetCookie {
  readonly name: string
  readonly value: string
  readonly domain: string | undefined
  readonly path: string | undefined
  /** Seconds. */
  readonly maxAge: number | undefined
  /** Milliseconds since 1970. */
  readonly expires: number | undefined
  readonly secure: boolean
  readonly httpOnly: boolean
}

/**
 * Parses a `Set-Cookie` header as a user agent does. If an attribute occurs twice, the last valid one counts.
 *
 * @see https://www.rfc-editor.org/rfc/rfc6265#section-5.2
 */
export function parseSetCookie(header: string): SetCookie {
  const [pair = '', ...attributes] = header.split(';')
  const [name, value] = splitPair(pair) ?? ['', '']
  let domain: string | undefined
  let path: string | undefined
  let maxAge: number | undefined
  let expires: number | undefined
  let secure = false
  let httpOnly = false
  for (const attribute of attributes) {
    const [key, text] = splitPair(attribute) ?? [trimBlanks(attribute), '']
    switch (key.toLowerCase()) {
      case 'domain':
        if (text !== '') domain = text.replace(/^\./, '').toLowerCase()
        break
      case 'path':
        path = text.startsWith('/') ? text : undefined
        break
      case 'max-age':
        if (/^-?\d+$/.test(text)) maxAge = Number(text)
        break
      case 'expires':
        expires = parseCookieDate(text) ?? expires
        break
      case 'secure':
        secure = true
        break
      case 'httponly':
        httpOnly = true
        break
    }
  }
  return { name, value, domain, path, maxAge, expires, secure, httpOnly }
}

function splitPair(text: string): [name: string, value: string] | null {
  const equals = text.indexOf('=')
  return equals === -1 ? null : [trimBlanks(text.slice(0, equals)), trimBlanks(text.slice(equals + 1))]
}

/** Removes spaces and tabs only: other white space is part of a name or value. */
export function trimBlanks(text: string): string {
  let start = 0
  let end = text.length
  while (start < end && isBlank(text.charCodeAt(start))) start += 1
  while (end > start && isBlank(text.charCodeAt(end - 1))) end -= 1
  return text.slice(start, end)
}

function isBlank(code: number): boolean {
  return code === 0x20 || code === 0x09
}

const months = 'jan feb mar apr may jun jul aug sep oct nov dec '
// Node and browsers differ in what `Date.parse` accepts.
const delimiters = /[\t\x20-/;-@[-`{-~]+/
const timeOfDay = /^(\d{1,2}):(\d{1,2}):(\d{1,2})(?:\D|$)/
const dayOfMonth = /^(\d{1,2})(?:\D|$)/
const yearNumber = /^(\d{2,4})(?:\D|$)/

/**
 * Parses the date of an `Expires` attribute. Its parts may have any order.
 *
 * @returns milliseconds since 1970, or `undefined` if the text is not a date
 * @see https://www.rfc-editor.org/rfc/rfc6265#section-5.1.1
 */
export function parseCookieDate(text: string): number | undefined {
  let time: RegExpExecArray | null = null
  let day: number | undefined
  let month: number | undefined
  let year: number | undefined
  for (const token of text.split(delimiters)) {
    const found: RegExpExecArray | null = time ? null : timeOfDay.exec(token)
    if (found) {
      time = found
      continue
    }
    const dayText = day === undefined ? dayOfMonth.exec(token)?.[1] : undefined
    if (dayText !== undefined) {
      day = Number(dayText)
      continue
    }
    const monthIndex = month === undefined && token.length >= 3 ? months.indexOf(token.slice(0, 3).toLowerCase()) : -1
    if (monthIndex !== -1 && monthIndex % 4 === 0) {
      month = monthIndex / 4
      continue
    }
    const yearText = year === undefined ? yearNumber.exec(token)?.[1] : undefined
    if (yearText !== undefined) year = Number(yearText)
  }
  if (!time || day === undefined || month === undefined || year === undefined) return undefined
  if (year < 100) year += year >= 70 ? 1900 : 2000
  const [hour, minute, second] = [Number(time[1]), Number(time[2]), Number(time[3])]
  if (year < 1601 || hour > 23 || minute > 59 || second > 59) return undefined
  const date = new Date(Date.UTC(year, month, day, hour, minute, second))
  // 31 February is not a date.
  return date.getUTCDate() === day && date.getUTCMonth() === month ? date.getTime() : undefined
}
