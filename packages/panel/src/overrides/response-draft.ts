import type { LoggedRequest, Override, RequestDetails } from '@understudy/engine/inspect'

import type { Exchange } from '../handler-code/exchange.ts'
import { markNumbers, writeNumbers } from '../log/exact-numbers.ts'
import { statuses } from './override-choices.ts'

/** A response in the editor. */
export interface ResponseDraft {
  readonly status: string
  /** One header on each line: `name: value`. */
  readonly headers: string
  /** `null`: it cannot be edited, because it is not text, it is very long, or the panel does not have all of it. */
  readonly body: string | null
  /** The Base64 of a body that is not text. A file can replace it. */
  readonly base64: string | null
}

/** An edit of a handler's last response that has not been applied. */
export interface ResponseEdit {
  readonly request: LoggedRequest
  readonly details: RequestDetails
  /** `null`: nothing has been edited yet. */
  readonly draft: ResponseDraft | null
}

/** The maximum number of editable characters. With more, each key press would be slow. */
const editableLength = 200_000

/** Headers that describe the bytes on the wire. The response gets its own. */
const wireHeaders = new Set(['content-length', 'content-encoding', 'transfer-encoding'])

/** Converts the response of a request into a draft. Indents JSON. */
export function toDraft({ status }: LoggedRequest, { headers, bodies }: RequestDetails): ResponseDraft {
  const { response } = bodies
  const lines = (headers?.response ?? [])
    .filter(([name]) => !wireHeaders.has(name.toLowerCase()))
    .map(([name, value]) => `${name}: ${value}`)
  const text = response === null ? '' : response.isComplete ? response.text : null
  return {
    status: String(status ?? 200),
    headers: lines.join('\n'),
    body: text === null || text.length > editableLength ? null : indentJson(text, response?.type ?? ''),
    base64: response?.isComplete ? response.base64 : null,
  }
}

/**
 * Returns the override for an edited draft, including the previous override.
 *
 * @param original the draft before the edit. Unchanged parts are not overridden
 * @throws {Error} if a line of the headers is not valid
 */
export function toOverride(draft: ResponseDraft, original: ResponseDraft, before: Override | null): Override | null {
  const { networkError: _, body, bodyEncoding, ...kept } = before ?? {}
  const isText = draft.body !== null && draft.body !== original.body
  const isBytes = draft.base64 !== null && draft.base64 !== original.base64
  const override: Override = {
    ...kept,
    ...(body !== undefined && !isText && !isBytes && { body, ...(bodyEncoding && { bodyEncoding }) }),
    ...(draft.status !== original.status && { status: Number(draft.status) }),
    ...(draft.headers !== original.headers && { headers: parseHeaders(draft.headers) }),
    ...(isText && { body: draft.body ?? '' }),
    ...(isBytes && { body: draft.base64 ?? '', bodyEncoding: 'base64' }),
  }
  return Object.keys(override).length > 0 ? override : null
}

/**
 * Returns the parts of an edited draft for a saved handler: the status, the body, and the edited headers.
 *
 * @throws {Error} if a line of the headers is not valid
 */
export function toEditedParts(
  draft: ResponseDraft,
  original: ResponseDraft,
): Pick<Exchange, 'headers' | 'status'> & Partial<Pick<Exchange, 'base64' | 'text' | 'type'>> {
  const before = new Set(original.headers.split('\n'))
  const headers = parseHeaders(draft.headers).filter(([name, value]) => !before.has(`${name}: ${value}`))
  const type = headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1]
  return {
    status: Number(draft.status),
    headers,
    ...(hasBody(draft) && { text: draft.body, base64: draft.base64 }),
    ...(type !== undefined && { type }),
  }
}

/** Returns whether the draft contains the body. Otherwise, the body of the response stays. */
export function hasBody({ body, base64 }: ResponseDraft): boolean {
  return body !== null || base64 !== null
}

/** Returns the statuses to choose from, including the response's. */
export function statusOptions(status: string): readonly { readonly value: string; readonly label: string }[] {
  const known = statuses.map(([code, text]) => ({ value: String(code), label: `${code} ${text}` }))
  return known.some(({ value }) => value === status) ? known : [{ value: status, label: status }, ...known]
}

/** Returns why a body is probably not what the developer wants; `null` if nothing is wrong. */
export function warnOfBody({ headers, body }: ResponseDraft): string | null {
  if (!body || !/^content-type:[^\n]*[/+]json\b/im.test(headers)) return null
  try {
    JSON.parse(body)
    return null
  } catch {
    return 'The body is not valid JSON.'
  }
}

function parseHeaders(text: string): readonly (readonly [string, string])[] {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  return lines.map((line): [string, string] => {
    const colon = line.indexOf(':')
    const header: [string, string] = [line.slice(0, colon).trim(), line.slice(colon + 1).trim()]
    if (colon < 1 || !isHeader(header)) {
      const shown = line.trim()
      throw new Error(`Failed to edit the response: "${shown}" is not a header. Write name: value. (US0844)`)
    }
    return header
  })
}

function isHeader(header: [string, string]): boolean {
  try {
    new Headers([header])
    return true
  } catch {
    return false
  }
}

function indentJson(text: string, type: string): string {
  if (!/[/+]json\b/.test(type)) return text
  try {
    return writeNumbers(JSON.parse(markNumbers(text)), 2)
  } catch {
    return text
  }
}
