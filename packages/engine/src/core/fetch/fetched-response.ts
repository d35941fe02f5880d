import { Response } from '../platform.ts'

/** The properties of a fetched response that the constructor of `Response` cannot set. */
export interface FetchFacts {
  /** The response's URL, without a fragment. */
  readonly url: string
  readonly redirected: boolean
  readonly type: ResponseType
  /** Aborts the body. */
  readonly signal?: AbortSignal | undefined
}

/** The key of a response's facts. A `WeakMap` would take the garbage collector more time. */
const facts: unique symbol = Symbol('fetched')

/** Returns the facts that `withFacts` added to a response. */
export function factsOf(response: Response): FetchFacts | undefined {
  return (response as Partial<Fetched>)[facts]
}

interface Fetched extends Response {
  readonly [facts]: FetchFacts
}

/** Adds facts to a response. It does not copy the response, because usually only the caller of `fetch` reads it. */
export type WithFacts = (response: Response, fetched: FetchFacts) => Response

/**
 * Creates the function that makes a response look like one of the platform's own `fetch`.
 *
 * @param additions properties in which fetched responses of one platform differ from constructed responses
 */
export function createWithFacts(additions: PropertyDescriptorMap): WithFacts {
  class FetchedResponse extends Response {
    declare readonly [facts]: FetchFacts

    override get url(): string {
      return this[facts].url
    }

    override get redirected(): boolean {
      return this[facts].redirected
    }

    override get type(): ResponseType {
      return this[facts].type
    }

    override clone(): Response {
      return withFacts(super.clone(), this[facts])
    }
  }
  Object.defineProperties(FetchedResponse.prototype, {
    // Apps that compare `response.constructor` with `Response` find the platform's class.
    constructor: { value: Response },
    ...additions,
  })
  function withFacts(response: Response, fetched: FetchFacts): Response {
    Object.setPrototypeOf(response, FetchedResponse.prototype)
    return Object.defineProperty(response, facts, { value: fetched, configurable: true })
  }
  return withFacts
}
