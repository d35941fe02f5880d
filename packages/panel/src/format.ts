import { decodeUrl } from './decode-url.ts'

/** `850 ms`, `1.5 s` */
export function formatDuration(milliseconds: number): string {
  if (milliseconds < 1000) return `${Math.round(milliseconds)} ms`
  return `${Number((milliseconds / 1000).toFixed(1))} s`
}

/** Created once: a new formatter for each row would take longer than the rest of the row. */
const timeFormat = new Intl.DateTimeFormat('en-GB', { timeStyle: 'medium' })

/** `14:03:22`; an empty text for a number that is not a time */
export function formatTime(time: number): string {
  return Math.abs(time) <= latestTime ? timeFormat.format(time) : ''
}

/** The limit of `Date`, beyond which the formatter throws. */
const latestTime = 8.64e15

/** `14:03:22.045` */
export function formatMoment(time: number): string {
  return `${formatTime(time)}.${String(new Date(time).getMilliseconds()).padStart(3, '0')}`
}

/** `320 B`, `1.2 kB`, `3.4 MB` */
export function formatSize(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`
  if (bytes < 1_000_000) return `${Number((bytes / 1000).toFixed(1))} kB`
  return `${Number((bytes / 1_000_000).toFixed(1))} MB`
}

/** `1 handler`, `2 handlers` */
export function formatCount(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}

/** Splits a header into its method and the rest: `GET` and `/user/:id`, `query` and `GetUser`. */
export function splitHeader(header: string): readonly [method: string, rest: string] {
  const space = header.indexOf(' ')
  return space === -1 ? ['', header] : [header.slice(0, space), header.slice(space + 1)]
}

/** Formats a URL for display, without its origin if that is the page's origin. */
export function formatUrl(url: string, pageUrl: string | null): { readonly origin: string; readonly path: string } {
  if (!URL.canParse(url)) return { origin: '', path: url }
  const { origin, pathname, search, host } = new URL(url)
  const isOwn = pageUrl !== null && URL.canParse(pageUrl) && new URL(pageUrl).origin === origin
  return { origin: isOwn ? '' : host, path: decodeUrl(pathname + search) }
}
