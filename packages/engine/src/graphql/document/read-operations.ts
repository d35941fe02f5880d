import { GraphQLSyntaxError, readToken, type Token } from './tokens.ts'

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

class DocumentReader {
  readonly #source: string
  #token: Token

  constructor(source: string) {
    this.#source = source
    this.#token = readToken(source, 0)
  }

  readDocument(): OperationDefinition[] {
    const operations: OperationDefinition[] = []
    do {
      const operation = this.#readDefinition()
      if (operation) operations.push(operation)
    } while (this.#token.kind !== 'end')
    return operations
  }

  #readDefinition(): OperationDefinition | undefined {
    if (this.#peek('{')) {
      this.#readSelections()
      return { type: 'query', name: undefined }
    }
    if (this.#token.kind === 'string') this.#advance()
    const { text } = this.#token
    switch (text) {
      case 'query':
      case 'mutation':
      case 'subscription':
        this.#advance()
        return this.#readOperation(text)
      case 'fragment':
        this.#advance()
        this.#readFragment()
        return undefined
      default:
        throw this.#unexpected('an operation or a fragment')
    }
  }

  #readOperation(type: GraphQLOperationType): OperationDefinition {
    const name = this.#token.kind === 'name' ? this.#readName() : undefined
    if (this.#peek('(')) this.#readInParentheses(() => this.#readVariable())
    this.#readDirectives(false)
    this.#readSelections()
    return { type, name }
  }

  #readFragment(): void {
    if (this.#token.text === 'on') throw this.#unexpected("a fragment's name")
    this.#readName()
    if (this.#readName() !== 'on') throw this.#unexpected('"on" before the type of a fragment')
    this.#readName()
    this.#readDirectives(false)
    this.#readSelections()
  }

  #readVariable(): void {
    if (this.#token.kind === 'string') this.#advance()
    this.#expect('$')
    this.#readName()
    this.#expect(':')
    this.#readType()
    if (this.#skip('=')) this.#readValue(true)
    this.#readDirectives(true)
  }

  #readType(): void {
    if (this.#skip('[')) {
      this.#readType()
      this.#expect(']')
    } else this.#readName()
    this.#skip('!')
  }

  /**
   * The specification requires at least one selection, but graphql 17, and servers built with it, also accept an empty
   * set.
   */
  #readSelections(): void {
    this.#expect('{')
    while (!this.#skip('}')) this.#readSelection()
  }

  #readSelection(): void {
    if (this.#skip('...')) {
      this.#readSpread()
      return
    }
    this.#readName()
    if (this.#skip(':')) this.#readName()
    this.#readArguments(false)
    this.#readDirectives(false)
    if (this.#peek('{')) this.#readSelections()
  }

  #readSpread(): void {
    const isNamed = this.#token.kind === 'name' && this.#token.text !== 'on'
    // `on` and a type, or a fragment's name.
    if (this.#token.kind === 'name' && this.#readName() === 'on') this.#readName()
    this.#readDirectives(false)
    if (!isNamed) this.#readSelections()
  }

  #readDirectives(isConstant: boolean): void {
    while (this.#skip('@')) {
      this.#readName()
      this.#readArguments(isConstant)
    }
  }

  #readArguments(isConstant: boolean): void {
    if (!this.#peek('(')) return
    this.#readInParentheses(() => {
      this.#readName()
      this.#expect(':')
      this.#readValue(isConstant)
    })
  }

  #readValue(isConstant: boolean): void {
    if (this.#skip('[')) {
      while (!this.#skip(']')) this.#readValue(isConstant)
    } else if (this.#skip('{')) {
      while (!this.#skip('}')) {
        this.#readName()
        this.#expect(':')
        this.#readValue(isConstant)
      }
    } else if (!isConstant && this.#skip('$')) {
      this.#readName()
    } else if (this.#token.kind === 'end' || this.#token.kind === 'punctuator') {
      throw this.#unexpected('a value')
    } else this.#advance()
  }

  /** Reads one or more items. */
  #readInParentheses(read: () => void): void {
    this.#expect('(')
    do read()
    while (!this.#skip(')'))
  }

  #readName(): string {
    const { kind, text } = this.#token
    if (kind !== 'name') throw this.#unexpected('a name')
    this.#advance()
    return text
  }

  #peek(text: string): boolean {
    return this.#token.kind === 'punctuator' && this.#token.text === text
  }

  #skip(text: string): boolean {
    if (!this.#peek(text)) return false
    this.#advance()
    return true
  }

  #expect(text: string): void {
    if (!this.#skip(text)) throw this.#unexpected(`"${text}"`)
  }

  #advance(): void {
    this.#token = readToken(this.#source, this.#token.start + this.#token.text.length)
  }

  #unexpected(expected: string): GraphQLSyntaxError {
    const { kind, text, start } = this.#token
    const found = kind === 'end' ? 'the end' : JSON.stringify(text)
    return new GraphQLSyntaxError(this.#source, start, `expected ${expected}, found ${found}`)
  }
}
