import { data, errors, extensions, field } from './graphql-transformers.ts'
import type { ResponseTransformer } from './response-composition.ts'
import { body, cookie, delay, fetch, json, set, status, text, xml } from './transformers.ts'

/** `ctx`, the third argument of an MSW 1 resolver: the transformers for every response. */
export interface DefaultContext {
  readonly status: typeof status
  readonly set: typeof set
  readonly delay: typeof delay
  readonly fetch: typeof fetch
}

/** `ctx` of `rest` handlers. */
export interface RestContext extends DefaultContext {
  readonly cookie: typeof cookie
  readonly body: typeof body
  readonly text: typeof text
  readonly json: typeof json
  readonly xml: typeof xml
}

/** `ctx` of `graphql` handlers. `Data` is what the operation returns. */
export interface GraphQLContext<Data = object> extends DefaultContext {
  readonly cookie: typeof cookie
  /** Sets `data`. A second call adds to the existing `data`. */
  data(payload: Partial<Data> & object): ResponseTransformer
  readonly errors: typeof errors
  readonly extensions: typeof extensions
  readonly field: typeof field
}

const defaultContext: DefaultContext = { status, set, delay, fetch }

export const restContext: RestContext = { ...defaultContext, cookie, body, text, json, xml }

export const graphqlContext: GraphQLContext = { ...defaultContext, cookie, data, errors, extensions, field }

/** All transformers, for functions that compose responses outside a resolver. */
export const context: RestContext & Omit<GraphQLContext, 'field'> = { ...restContext, data, errors, extensions }
