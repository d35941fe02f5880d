/** The reason why a GraphQL request cannot be read. The message continues a sentence that begins with the request. */
export class BrokenRequest extends Error {
  override readonly name = 'BrokenRequest'
  /** Whether the request is certainly a GraphQL request. If not, it counts as one only at a known GraphQL endpoint. */
  readonly isCertain: boolean

  constructor(message: string, isCertain = true) {
    super(message)
    this.isCertain = isCertain
  }
}
