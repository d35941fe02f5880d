/** Why a request that would be one of GraphQL cannot be read. The message follows on the request's name. */
export class BrokenRequest extends Error {
  override readonly name = 'BrokenRequest'
  /** Whether it surely was meant for GraphQL; else only an endpoint that is known to speak GraphQL makes it so. */
  readonly isCertain: boolean

  constructor(message: string, isCertain = true) {
    super(message)
    this.isCertain = isCertain
  }
}
