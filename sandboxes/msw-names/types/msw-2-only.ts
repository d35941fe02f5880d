/** Additional patterns for the types of MSW 2: GraphQL without a link, and the names that MSW 3 changed. */
import {
  cleanUrl,
  isCommonAssetRequest,
  graphql,
  http,
  HttpResponse,
  type AsyncResponseResolverReturnType,
  type LifeCycleEventsMap,
  type ResponseResolverReturnType,
  type SharedOptions,
  type StrictResponse,
  type UnhandledRequestCallback,
  type UnhandledRequestStrategy,
} from 'msw'
import type { SetupServerApi } from 'msw/node'
import { setupServer } from 'msw/node'

interface User {
  id: string
}

export const handlers = [
  graphql.query<{ user: User }, { id: string }>('GetUser', ({ variables }) =>
    HttpResponse.json({ data: { user: { id: variables.id } } }),
  ),
  graphql.query('GetUser', ({ variables }) =>
    HttpResponse.json({ data: { user: { ...variables, id: variables['id'] } } }),
  ),
  graphql.mutation('Login', ({ variables: { input } }) => HttpResponse.json({ data: { name: input.name } })),
  graphql.operation(({ query, variables }) => HttpResponse.json({ data: { query, variables } })),
]
export const strategy: UnhandledRequestStrategy = 'warn'
export const callback: UnhandledRequestCallback = (request, print) => {
  if (cleanUrl(request.url)) print.warning()
}
export const strict: StrictResponse<User> = HttpResponse.json({ id: '1' })
export const returned: ResponseResolverReturnType<User> = HttpResponse.json({ id: '1' })
export const later: AsyncResponseResolverReturnType<User> = Promise.resolve(HttpResponse.json({ id: '1' }))
export const started = ({ request, requestId }: LifeCycleEventsMap['request:start'][0]): string =>
  `${requestId} ${request.url}`
export function record(...[{ response }]: LifeCycleEventsMap['response:mocked']): void {
  response.status.toFixed()
}
export const onMocked = (...[{ request, response }]: LifeCycleEventsMap['response:mocked']): string =>
  `${request.url} ${response.status}`
export function close(api: SetupServerApi): void {
  api.close()
}
export const server = setupServer(http.get('/a', () => HttpResponse.json({})))
server.events.on('request:start', started)
server.events.on('response:mocked', record)
server.events.on('response:mocked', ({ response }) => {
  response.status.toFixed()
})

export const shared: SharedOptions = { onUnhandledRequest: 'error' }
export const withCallback: SharedOptions = {
  onUnhandledRequest(request, print) {
    if (isCommonAssetRequest(request)) return
    print.warning()
    print.error()
  },
}
