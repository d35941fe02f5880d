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

/** One group for each kind of token. https://spec.graphql.org/draft/#sec-Language.Source-Text.Lexical-Tokens */
const token = new RegExp(
  [
    String.raw`(\.\.\.|[!$&()[\]:=@{|}])`,
    String.raw`([A-Z_a-z]\w*)`,
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
  ignored.lastIndex = offset
  ignored.test(source)
  const start = ignored.lastIndex
  if (start >= source.length) return { kind: 'end', text: '', start: source.length }
  token.lastIndex = start
  const found = token.exec(source)
  if (!found) throw new GraphQLSyntaxError(source, start, describeStray(source.slice(start)))
  const [text, punctuator, name, number] = found
  const kind =
    punctuator !== undefined ? 'punctuator' : name !== undefined ? 'name' : number !== undefined ? 'number' : 'string'
  return { kind, text, start }
}

function describeStray([character = '']: string): string {
  return character === '"' ? 'a string that does not end' : `an unexpected ${JSON.stringify(character)}`
}
