import type { IncomingRequest } from './incoming-request.ts'
import type { ResolverInfo, StrictRequest } from './request-handler.ts'

/** The key of the data that the getters of a resolver's argument read. */
const getterData: unique symbol = Symbol('getter data')

interface WithGetterData {
  readonly [getterData]: { readonly incoming: IncomingRequest; request: StrictRequest<unknown> | undefined }
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

const doNothing = (): void => {}

/** Creates the argument of a resolver. */
export function createInfo(incoming: IncomingRequest, extras: object): ResolverInfo {
  const info = { requestId: incoming.id, url: incoming.url, finalize: doNothing, ...extras }
  Object.defineProperty(info, getterData, { value: { incoming, request: undefined } })
  if (!('request' in extras)) Object.defineProperty(info, 'request', lazyProperties.request)
  if (!('cookies' in extras)) Object.defineProperty(info, 'cookies', lazyProperties.cookies)
  return info as unknown as ResolverInfo
}
