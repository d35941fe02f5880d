import type { InspectedBody } from '@understudy/engine/inspect'

import { formatSize } from '../format.ts'
import { parseEvents, type StreamEvent } from './parse-events.ts'

/** A body in the form in which it is shown. */
export type ShownBody =
  | { readonly as: 'json'; readonly value: unknown; readonly text: string }
  | { readonly as: 'events'; readonly events: readonly StreamEvent[]; readonly text: string }
  | { readonly as: 'text'; readonly text: string }
  /** A multipart body, or one that claims to be. */
  | { readonly as: 'parts' }
  /** The URL of an image, which cannot run scripts. */
  | { readonly as: 'image'; readonly url: string }
  | { readonly as: 'bytes' }

/** Images that browsers decode. Other image types are shown as bytes. */
const imageTypes = ['png', 'jpeg', 'gif', 'webp', 'avif', 'bmp', 'svg+xml', 'x-icon', 'vnd.microsoft.icon']

/** Parses a body for display. Bodies are never parsed as HTML: they become text, a tree of text, or an image. */
export function readBody({ type, text, base64, isComplete, arrivals }: InspectedBody): ShownBody {
  const [mime = ''] = type.toLowerCase().split(';')
  const image = mime.startsWith('image/') && imageTypes.includes(mime.slice('image/'.length)) ? mime : undefined
  if (image && base64) return { as: 'image', url: `data:${image};base64,${base64}` }
  // In an `img` element, an SVG runs no scripts and loads no other files.
  if (image && text !== null && isComplete) {
    return { as: 'image', url: `data:${image};charset=utf-8,${encodeURIComponent(text)}` }
  }
  if (text === null) return { as: base64 && mime.startsWith('multipart/') ? 'parts' : 'bytes' }
  if (mime.trim() === 'text/event-stream') return { as: 'events', events: parseEvents(text, arrivals), text }
  const value = /[/+]json\b/.test(mime) && isComplete ? parseJson(text) : undefined
  return value === undefined ? { as: 'text', text } : { as: 'json', value, text }
}

/** Returns the size of the kept part: `1.2 kB`, `the first 65.5 kB of 1.2 MB`. */
export function describeSize({ size, text, base64, isComplete }: InspectedBody): string {
  if (isComplete) return formatSize(size)
  const kept = text === null ? Math.floor(((base64?.length ?? 0) * 3) / 4) : new TextEncoder().encode(text).length
  return kept + 3 < size ? `cut: the first ${formatSize(kept)}` : `${formatSize(size)} so far`
}

/** The number of bytes that are shown of a body that is neither text nor an image. */
const shownBytes = 64

/** Describes bytes: `Binary: 01 02 …`. */
export function describeBytes({ size, base64, isComplete }: InspectedBody): string {
  if (size === 0) return isComplete ? 'The body is empty.' : 'Nothing has arrived yet.'
  const bytes = atob((base64 ?? '').slice(0, Math.ceil(shownBytes / 3) * 4))
  const shown = Array.from(bytes.slice(0, shownBytes), (char) => char.charCodeAt(0).toString(16).padStart(2, '0'))
  return `Binary: ${shown.join(' ')}${size > shownBytes ? ' …' : ''}`
}

/** Long integers, such as identifiers of 64 bits, become `bigint` values, because numbers would round them. */
function parseJson(text: string): unknown {
  try {
    // Without a function, JSON of any depth is parsed. Older browsers do not pass the source.
    return JSON.parse(
      text,
      /\d{16}/.test(text)
        ? (_key, value: unknown, context?: { source: string }) =>
            context && /^-?\d{16,999}$/.test(context.source) ? BigInt(context.source) : value
        : undefined,
    ) as unknown
  } catch {
    return undefined
  }
}
