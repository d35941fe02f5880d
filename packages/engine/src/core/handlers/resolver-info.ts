import type { IncomingRequest } from './incoming-request.ts'
import type { ResolverInfo, StrictRequest } from './request-handler.ts'

/** The key of the data that the getters of a resolver's argument read. */
const getterData: unique symbol = Symbol('getter data')

/** What the getters of a resolver's argument read. */
export interface GetterData {
  readonly incoming: IncomingRequest
  /** The copy of the request, once it is read. */
  request: StrictRequest<unknown> | undefined
}

interface WithGetterData {
  readonly [getterData]: GetterData
}

/**
 * Properties that are computed on the first read: most resolvers do not read them, and a copy of a request's body costs
 * more than everything else. All requests share these getters: V8 keeps a getter until the next full garbage
 * collection, so a closure for each request would keep that request in memory.
 */
const lazyProperties = {
  request: {
    get(this: WithGetterData): Request {
      const { [getterData]: state } = this
      return (state.request ??= state.incoming.copyWithCookies())
    },
    enumerable: true,
    configurable: true,
  },
  cookies: {
    get(this: WithGetterData): Record<string, string> {
      return this[getterData].incoming.cookies
    },
    enumerable: true,
    configurable: true,
  },
}

/** Creates the argument of a resolver. */
export function createInfo(data: GetterData, extras: object, finalize: ResolverInfo['finalize']): ResolverInfo {
  const { incoming } = data
  const info = { requestId: incoming.id, url: incoming.url, finalize, ...extras }
  Object.defineProperty(info, getterData, { value: data })
  if (!('request' in extras)) Object.defineProperty(info, 'request', lazyProperties.request)
  if (!('cookies' in extras)) Object.defineProperty(info, 'cookies', lazyProperties.cookies)
  return info as unknown as ResolverInfo
}
