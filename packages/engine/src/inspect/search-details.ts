import type { LoggedFrame } from './connection-log.ts'
import type { InspectedBodies } from './kept-bodies.ts'
import type { InspectedBody } from './kept-body.ts'
import type { HeaderList, InspectedHeaders } from './request-log.ts'

const places = ['response body', 'response headers', 'request body', 'request headers', 'messages'] as const

/** Where a word of a search was found. */
export type SearchPlace = (typeof places)[number]

/** The first occurrence of a word in the details of a request or a connection. */
export interface SearchMatch {
  readonly word: string
  readonly place: SearchPlace
  /** The text in front of the occurrence, in one line. */
  readonly before: string
  /** The occurrence as the text has it: upper and lower case may differ from the word. */
  readonly found: string
  readonly after: string
}

/** What a search found in the details of one request or connection. */
export interface SearchResult {
  /** Of the request or the connection. */
  readonly id: string
  /** `false` while a body is still arriving: a later search may find more. */
  readonly isFinal: boolean
  /** At most one for each word. */
  readonly matches: readonly SearchMatch[]
}

interface SearchedDetails {
  readonly headers: InspectedHeaders | null
  readonly bodies: InspectedBodies
  readonly frames: readonly LoggedFrame[]
}

/** The number of characters before and after an occurrence in the result. */
const charactersBefore = 20
const charactersAfter = 100

/** Searches headers, text bodies and messages for words, without regard to case. */
export function searchDetails(
  id: string,
  { headers, bodies, frames }: SearchedDetails,
  words: readonly string[],
): SearchResult {
  const texts: Readonly<Record<SearchPlace, readonly string[]>> = {
    'response body': toTexts(bodies.response),
    'response headers': toLines(headers?.response),
    'request body': toTexts(bodies.request),
    'request headers': toLines(headers?.request),
    messages: frames.map(({ text }) => text ?? '').toReversed(),
  }
  return {
    id,
    isFinal: isFinal(bodies.request) && isFinal(bodies.response),
    matches: words.flatMap((word) => findWord(word, texts) ?? []),
  }
}

function findWord(word: string, texts: Readonly<Record<SearchPlace, readonly string[]>>): SearchMatch | undefined {
  // toLowerCase() changes the length of some texts, so that positions in the result would be wrong.
  const pattern = new RegExp(word.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'), 'i')
  for (const place of places) {
    for (const text of texts[place]) {
      const match = pattern.exec(text)
      if (!match) continue
      const end = match.index + match[0].length
      return {
        word,
        place,
        before: toLine(text.slice(Math.max(0, match.index - charactersBefore), match.index)),
        found: match[0],
        after: toLine(text.slice(end, end + charactersAfter)),
      }
    }
  }
  return undefined
}

function toLines(headers: HeaderList | null | undefined): readonly string[] {
  return headers?.map(([name, value]) => `${name}: ${value}`) ?? []
}

function toTexts(body: InspectedBody | null): readonly string[] {
  return body?.text ? [body.text] : []
}

function toLine(text: string): string {
  return text.replace(/\s+/g, ' ')
}

/** Returns whether no more bytes of a body will be kept: it has ended, or is longer than the limit. */
function isFinal(body: InspectedBody | null): boolean {
  if (!body || body.isComplete) return true
  const kept = body.text === null ? ((body.base64 ?? '').length * 3) / 4 : new TextEncoder().encode(body.text).length
  return kept + 3 < body.size
}
