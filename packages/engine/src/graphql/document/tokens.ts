/** A lexical token of a GraphQL document. */
export interface Token {
  readonly kind: 'punctuator' | 'name' | 'number' | 'string' | 'end'
  readonly text: string
  /** The offset of its first character. */
  readonly start: number
}

/** Thrown if a document does not follow the grammar. The message says what was expected, at which line and column. */
export class GraphQLSyntaxError extends Error {
  override readonly name = 'GraphQLSyntaxError'

  constructor(source: string, at: number, message: string) {
    const lines = source.slice(0, at).split(/\r\n|[\n\r]/)
    super(`${message} at line ${lines.length}, column ${(lines.at(-1) ?? '').length + 1}`)
  }
}

// https://spec.graphql.org/draft/#sec-Language.Source-Text.Ignored-Tokens
const ignored = /(?:[\uFEFF\t\n\r ,]|#[^\n\r]*)*/y

/** One group for each kind of token that is neither a name nor one character. https://spec.graphql.org/draft/#sec-Language.Source-Text.Lexical-Tokens */
const token = new RegExp(
  [
    String.raw`(\.\.\.)`,
    // A number must not be followed directly by a name or a dot.
    String.raw`(-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[Ee][+-]?\d+)?(?![\w.]))`,
    String.raw`("""(?:\\"""|(?!""")[^])*"""|""(?!")|"(?!"")(?:[^\n\r"\\]|\\(?:["/\\bfnrt]|u[\dA-Fa-f]{4}|u\{[\dA-Fa-f]+\}))*")`,
  ].join('|'),
  'y',
)

/**
 * Reads the token at an offset. Skips ignored tokens before it.
 *
 * @throws {GraphQLSyntaxError} if no token can begin there
 */
export function readToken(source: string, offset: number): Token {
  const start = skipIgnored(source, offset)
  if (start >= source.length) return { kind: 'end', text: '', start: source.length }
  // Punctuators and names without the expression, which takes several times as long.
  const code = source.charCodeAt(start)
  if (isPunctuator(code)) return { kind: 'punctuator', text: source.charAt(start), start }
  if (isOfName(code) && !isDigit(code)) {
    let end = start + 1
    while (end < source.length && isOfName(source.charCodeAt(end))) end += 1
    return { kind: 'name', text: source.slice(start, end), start }
  }
  token.lastIndex = start
  const found = token.exec(source)
  if (!found) throw new GraphQLSyntaxError(source, start, describeStray(source.slice(start)))
  const [text, spread, number] = found
  return { kind: spread !== undefined ? 'punctuator' : number !== undefined ? 'number' : 'string', text, start }
}

function skipIgnored(source: string, offset: number): number {
  const code = source.charCodeAt(offset)
  // Most tokens follow directly, or after one space.
  if (isPunctuator(code) || isOfName(code)) return offset
  if (code === 0x20) {
    const next = source.charCodeAt(offset + 1)
    if (isPunctuator(next) || isOfName(next)) return offset + 1
  }
  ignored.lastIndex = offset
  ignored.test(source)
  return ignored.lastIndex
}

/** One of `! $ & ( ) : = @ [ ] { | }`. */
function isPunctuator(code: number): boolean {
  return code < 0x80 && punctuators.has(code)
}

const punctuators: ReadonlySet<number> = new Set(Array.from('!$&():=@[]{|}', (character) => character.charCodeAt(0)))

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39
}

/** A letter, a digit or `_`. */
function isOfName(code: number): boolean {
  return (code >= 0x61 && code <= 0x7a) || (code >= 0x41 && code <= 0x5a) || code === 0x5f || isDigit(code)
}

function describeStray([character = '']: string): string {
  return character === '"' ? 'a string that does not end' : `an unexpected ${JSON.stringify(character)}`
}
