/** Thrown if a document does not follow the grammar. The message says what was expected, at which line and column. */
export class GraphQLSyntaxError extends Error {
  override readonly name = 'GraphQLSyntaxError'

  constructor(source: string, at: number, message: string) {
    const lines = source.slice(0, at).split(/\r\n|[\n\r]/)
    super(`${message} at line ${lines.length}, column ${(lines.at(-1) ?? '').length + 1}`)
  }
}

/** The kind of a lexical token. */
export type TokenKind = 'punctuator' | 'name' | 'number' | 'string' | 'end'

/** One group for each kind of token that is neither a name nor one character. https://spec.graphql.org/draft/#sec-Language.Source-Text.Lexical-Tokens */
const otherToken = new RegExp(
  [
    String.raw`(\.\.\.)`,
    // A number must not be followed directly by a name or a dot.
    String.raw`(-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[Ee][+-]?\d+)?(?![\w.]))`,
    String.raw`("""(?:\\"""|(?!""")[^])*"""|""(?!")|"(?!"")(?:[^\n\r"\\]|\\(?:["/\\bfnrt]|u[\dA-Fa-f]{4}|u\{[\dA-Fa-f]+\}))*")`,
  ].join('|'),
  'y',
)

/** Reads the tokens of a document, one after the other. It keeps only the current one: every request would wait for objects. */
export class TokenReader {
  readonly source: string
  kind: TokenKind = 'end'
  /** The offset of the token's first character. */
  start = 0
  #end = 0

  /** @throws {GraphQLSyntaxError} if no token can begin at the start of the document */
  constructor(source: string) {
    this.source = source
    this.advance()
  }

  get text(): string {
    return this.source.slice(this.start, this.#end)
  }

  /** Returns whether the token is the punctuator with this first character. */
  isPunctuator(code: number): boolean {
    return this.kind === 'punctuator' && this.source.charCodeAt(this.start) === code
  }

  /**
   * Reads the next token. Skips ignored tokens before it.
   *
   * @throws {GraphQLSyntaxError} if no token can begin there
   */
  advance(): void {
    const { source } = this
    const start = skipIgnored(source, this.#end)
    this.start = start
    // Punctuators and names without the expression, which takes several times as long.
    const kind = classOf(source.charCodeAt(start))
    if (kind === punctuator) {
      this.kind = 'punctuator'
      this.#end = start + 1
    } else if (kind === nameStart) {
      let end = start + 1
      while (classOf(source.charCodeAt(end)) >= nameStart) end += 1
      this.kind = 'name'
      this.#end = end
    } else if (start >= source.length) {
      this.kind = 'end'
      this.#end = start
    } else this.#readOther(source, start)
  }

  #readOther(source: string, start: number): void {
    otherToken.lastIndex = start
    const found = otherToken.exec(source)
    if (!found) throw new GraphQLSyntaxError(source, start, describeStray(source.slice(start)))
    const [text, spread, number] = found
    this.kind = spread !== undefined ? 'punctuator' : number !== undefined ? 'number' : 'string'
    this.#end = start + text.length
  }
}

const byteOrderMark = 0xfe_ff
const lineFeed = 0x0a
const carriageReturn = 0x0d
const hash = 0x23

/** Returns the offset of the next token. https://spec.graphql.org/draft/#sec-Language.Source-Text.Ignored-Tokens */
function skipIgnored(source: string, offset: number): number {
  let at = offset
  for (;;) {
    const code = source.charCodeAt(at)
    if (code === hash) at = endOfLine(source, at)
    else if (classOf(code) === ignored || code === byteOrderMark) at += 1
    else return at
  }
}

function endOfLine(source: string, offset: number): number {
  let at = offset
  for (let code = hash; at < source.length && code !== lineFeed && code !== carriageReturn;) {
    at += 1
    code = source.charCodeAt(at)
  }
  return at
}

const ignored = 1
const punctuator = 2
const nameStart = 3
/** A character that continues a name. The class is above that of characters which also begin one. */
const digit = 4

/** The classes of ASCII characters: 0 for those that are in none. */
const classes = new Uint8Array(128)
mark(ignored, '\t\n\r ,')
mark(punctuator, '!$&():=@[]{|}')
mark(nameStart, 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_')
mark(digit, '0123456789')

function mark(kind: number, characters: string): void {
  for (const character of characters) classes[character.charCodeAt(0)] = kind
}

/** @param code `NaN`, as `charCodeAt` returns it after the end, has no class */
function classOf(code: number): number {
  return code < 128 ? (classes[code] as number) : 0
}

function describeStray([character = '']: string): string {
  return character === '"' ? 'a string that does not end' : `an unexpected ${JSON.stringify(character)}`
}
