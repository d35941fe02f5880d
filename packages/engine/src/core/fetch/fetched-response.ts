import { Response } from '../platform.ts'
import { mark, marksOf, type FetchFacts } from '../responses/response-marks.ts'

/** Returns the facts that `withFacts` added to a response. */
export function factsOf(response: Response): FetchFacts | undefined {
  return marksOf(response)?.facts
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
    override get url(): string {
      return (factsOf(this) as FetchFacts).url
    }

    override get redirected(): boolean {
      return (factsOf(this) as FetchFacts).redirected
    }

    override get type(): ResponseType {
      return (factsOf(this) as FetchFacts).type
    }

    override clone(): Response {
      return withFacts(super.clone(), factsOf(this) as FetchFacts)
    }
  }
  Object.defineProperties(FetchedResponse.prototype, {
    // Apps that compare `response.constructor` with `Response` find the platform's class.
    constructor: { value: Response },
    ...additions,
  })
  function withFacts(response: Response, fetched: FetchFacts): Response {
    Object.setPrototypeOf(response, FetchedResponse.prototype)
    mark(response).facts = fetched
    return response
  }
  return withFacts
}
