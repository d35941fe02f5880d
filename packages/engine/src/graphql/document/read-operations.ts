import { GraphQLSyntaxError, TokenReader } from './tokens.ts'

/** The type of an operation. */
export type GraphQLOperationType = 'query' | 'mutation' | 'subscription'

/** An operation that a document defines. */
export interface OperationDefinition {
  readonly type: GraphQLOperationType
  /** `undefined`: the operation is anonymous. */
  readonly name: string | undefined
}

/**
 * Reads the operations of an executable document, and checks that the whole document follows the grammar. Matching
 * needs nothing else of a document. So handlers work without the package `graphql` and do not wait for it to load. Only
 * a schema needs it.
 *
 * @throws {GraphQLSyntaxError} if a server would refuse to parse the document
 * @see https://spec.graphql.org/draft/#sec-Document
 */
export function readOperations(source: string): OperationDefinition[] {
  try {
    return new DocumentReader(source).readDocument()
  } catch (error) {
    // Firefox throws an `InternalError` for too much recursion.
    const isTooDeep = error instanceof RangeError || (error as Error).name === 'InternalError'
    if (isTooDeep) throw new GraphQLSyntaxError(source, 0, 'selections nested too deeply')
    throw error
  }
}

/** The first characters of punctuators. */
const [openBrace, closeBrace, openParenthesis, closeParenthesis, openBracket, closeBracket] = codesOf('{}()[]')
const [colon, equals, at, dollar, bang, dot] = codesOf(':=@$!.')

/** Returns the codes of six characters. */
function codesOf(characters: string): [number, number, number, number, number, number] {
  return Array.from(characters, (character) => character.charCodeAt(0)) as ReturnType<typeof codesOf>
}

class DocumentReader {
  readonly #tokens: TokenReader

  constructor(source: string) {
    this.#tokens = new TokenReader(source)
  }

  readDocument(): OperationDefinition[] {
    const operations: OperationDefinition[] = []
    do {
      const operation = this.#readDefinition()
      if (operation) operations.push(operation)
    } while (this.#tokens.kind !== 'end')
    return operations
  }

  #readDefinition(): OperationDefinition | undefined {
    const tokens = this.#tokens
    if (tokens.isPunctuator(openBrace)) {
      this.#readSelections()
      return { type: 'query', name: undefined }
    }
    if (tokens.kind === 'string') tokens.advance()
    const { text } = tokens
    switch (text) {
      case 'query':
      case 'mutation':
      case 'subscription':
        tokens.advance()
        return this.#readOperation(text)
      case 'fragment':
        tokens.advance()
        this.#readFragment()
        return undefined
      default:
        throw this.#unexpected('an operation or a fragment')
    }
  }

  #readOperation(type: GraphQLOperationType): OperationDefinition {
    const name = this.#tokens.kind === 'name' ? this.#readName() : undefined
    if (this.#skip(openParenthesis)) {
      do this.#readVariable()
      while (!this.#skip(closeParenthesis))
    }
    this.#readDirectives(false)
    this.#readSelections()
    return { type, name }
  }

  #readFragment(): void {
    if (this.#tokens.text === 'on') throw this.#unexpected("a fragment's name")
    this.#skipName()
    if (this.#readName() !== 'on') throw this.#unexpected('"on" before the type of a fragment')
    this.#skipName()
    this.#readDirectives(false)
    this.#readSelections()
  }

  #readVariable(): void {
    if (this.#tokens.kind === 'string') this.#tokens.advance()
    this.#expect(dollar)
    this.#skipName()
    this.#expect(colon)
    this.#readType()
    if (this.#skip(equals)) this.#readValue(true)
    this.#readDirectives(true)
  }

  #readType(): void {
    if (this.#skip(openBracket)) {
      this.#readType()
      this.#expect(closeBracket)
    } else this.#skipName()
    this.#skip(bang)
  }

  /**
   * The specification requires at least one selection, but graphql 17, and servers built with it, also accept an empty
   * set.
   */
  #readSelections(): void {
    this.#expect(openBrace)
    while (!this.#skip(closeBrace)) this.#readSelection()
  }

  #readSelection(): void {
    if (this.#skip(dot)) {
      this.#readSpread()
      return
    }
    this.#skipName()
    if (this.#skip(colon)) this.#skipName()
    this.#readArguments(false)
    this.#readDirectives(false)
    if (this.#tokens.isPunctuator(openBrace)) this.#readSelections()
  }

  #readSpread(): void {
    const first = this.#tokens.kind === 'name' ? this.#readName() : undefined
    // `on` and a type, or a fragment's name.
    if (first === 'on') this.#skipName()
    this.#readDirectives(false)
    if (first === undefined || first === 'on') this.#readSelections()
  }

  #readDirectives(isConstant: boolean): void {
    while (this.#skip(at)) {
      this.#skipName()
      this.#readArguments(isConstant)
    }
  }

  #readArguments(isConstant: boolean): void {
    if (!this.#skip(openParenthesis)) return
    do this.#readField(isConstant)
    while (!this.#skip(closeParenthesis))
  }

  /** Reads an argument, or a member of an object. */
  #readField(isConstant: boolean): void {
    this.#skipName()
    this.#expect(colon)
    this.#readValue(isConstant)
  }

  #readValue(isConstant: boolean): void {
    const { kind } = this.#tokens
    if (this.#skip(openBracket)) {
      while (!this.#skip(closeBracket)) this.#readValue(isConstant)
    } else if (this.#skip(openBrace)) {
      while (!this.#skip(closeBrace)) this.#readField(isConstant)
    } else if (!isConstant && this.#skip(dollar)) {
      this.#skipName()
    } else if (kind === 'end' || kind === 'punctuator') {
      throw this.#unexpected('a value')
    } else this.#tokens.advance()
  }

  #readName(): string {
    const { text } = this.#tokens
    this.#skipName()
    return text
  }

  #skipName(): void {
    if (this.#tokens.kind !== 'name') throw this.#unexpected('a name')
    this.#tokens.advance()
  }

  #skip(code: number): boolean {
    if (!this.#tokens.isPunctuator(code)) return false
    this.#tokens.advance()
    return true
  }

  #expect(code: number): void {
    if (!this.#skip(code)) throw this.#unexpected(`"${String.fromCharCode(code)}"`)
  }

  #unexpected(expected: string): GraphQLSyntaxError {
    const { kind, text, start, source } = this.#tokens
    const found = kind === 'end' ? 'the end' : JSON.stringify(text)
    return new GraphQLSyntaxError(source, start, `expected ${expected}, found ${found}`)
  }
}
