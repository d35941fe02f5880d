import { failure, type UnderstudyError } from '../failure.ts'
import { givenHeadersOf, pairsOf, setCookiesOf } from './http-response.ts'

type Pair = [name: string, value: string]

/** Names that the engine or the platform adds, as servers usually write them. */
const usualNames: Readonly<Record<string, string>> = {
  'content-length': 'Content-Length',
  'content-type': 'Content-Type',
  'set-cookie': 'Set-Cookie',
}

/**
 * Returns the headers of a response, including `Set-Cookie`, with the case and the order in which they were passed to
 * `HttpResponse`. A header that was added later comes last, in lower case, because the platform's `Headers` has only
 * lower-case names.
 */
export function writtenHeadersOf(response: Response): Pair[] {
  const values = currentValuesOf(response)
  const pairs = (pairsOf(givenHeadersOf(response)) ?? []).map(([name, value]) => ({
    name,
    value: String(value).trim(),
    key: name.toLowerCase(),
  }))
  const isUnchanged = (key: string, lines: readonly string[]): boolean =>
    lines.join(', ') ===
    pairs
      .filter((pair) => pair.key === key)
      .map(({ value }) => value)
      .join(', ')
  const written: Pair[] = []
  const isWritten = new Set<string>()
  for (const { name, value, key } of pairs) {
    const lines = values.get(key)
    if (!lines) continue
    // `Headers` joins the values of a name that occurs twice.
    if (isUnchanged(key, lines)) written.push([name, value])
    else if (!isWritten.has(key)) written.push(...lines.map((line): Pair => [name, line]))
    isWritten.add(key)
  }
  for (const [key, lines] of values) {
    if (!isWritten.has(key)) written.push(...lines.map((line): Pair => [usualNames[key] ?? key, line]))
  }
  return written
}

/** Returns the current values by name in lower case. Only `Set-Cookie` has more than one line. */
function currentValuesOf(response: Response): Map<string, readonly string[]> {
  const values = new Map<string, readonly string[]>()
  response.headers.forEach((value, name) => {
    // A page's own `Headers` class may keep the case of names.
    const key = name.toLowerCase()
    if (key !== 'set-cookie') values.set(key, [value])
  })
  const cookies = setCookiesOf(response)
  if (cookies.length > 0) values.set('set-cookie', cookies)
  return values
}

/**
 * Returns the error for a response that Node refuses to send: `Headers` accepts control characters, which HTTP does not
 * allow.
 *
 * @see https://www.rfc-editor.org/rfc/rfc9110#section-5.5
 */
export function unsendable(method: string | undefined, url: string | undefined, cause: unknown): UnderstudyError {
  return failure(
    'US0417',
    `send the mocked response to ${method} ${url}`,
    (cause as Error).message,
    'Correct the headers that the handler sets.',
    { cause },
  )
}
