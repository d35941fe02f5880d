/** The TypeScript patterns of MSW's documentation. `test/types.test.ts` compiles this file with the types of MSW and of Understudy. */
import {
  bypass,
  delay,
  getResponse,
  http,
  HttpHandler,
  HttpResponse,
  isCommonAssetRequest,
  matchRequestUrl,
  passthrough,
  RequestHandler,
  sse,
  ws,
  type DefaultBodyType,
  type DefaultRequestMultipartBody,
  type HttpHandlerInfo,
  type HttpRequestResolverExtras,
  type HttpResponseInit,
  type HttpResponseResolver,
  type JsonBodyType,
  type Path,
  type PathParams,
  type RequestHandlerOptions,
  type ResponseResolver,
  type StrictRequest,
  type WebSocketData,
  type WebSocketHandler,
  type WebSocketHandlerConnection,
  type WebSocketLink,
} from 'msw'
import { setupWorker, type SetupWorker, type StartOptions } from 'msw/browser'
import {
  graphql,
  GraphQLHandler,
  type GraphQLQuery,
  type GraphQLResponseResolver,
  type GraphQLVariables,
} from 'msw/graphql'
import { setupServer, type SetupServer } from 'msw/node'

interface User {
  id: string
  name: string
}
interface Post {
  id: string
  title: string
  author?: User
}

// Type arguments, in MSW's order: parameters, request body, response body, path.
export const typedHandlers = [
  http.get<{ id: string }>('/user/:id', ({ params }) => HttpResponse.json({ id: params.id.toUpperCase() })),
  http.get<{ id: string }, never, User>('/user/:id', ({ params }) => HttpResponse.json({ id: params.id, name: 'Ada' })),
  http.get<never, never, User[]>('/users', () => HttpResponse.json([{ id: '1', name: 'Ada' }])),
  http.get<PathParams, DefaultBodyType, User>('/user', () => new HttpResponse(null, { status: 404 })),
  http.get<PathParams<'id' | 'tab'>, never, string>('/u/:id/:tab', ({ params: { id, tab } }) =>
    HttpResponse.text(`${String(id)}${String(tab)}`),
  ),
  http.post<never, { name: string }, User>('/user', async ({ request }) => {
    const { name } = await request.json()
    return HttpResponse.json({ id: '1', name }, { status: 201 })
  }),
  http.post<never, Post, Post>('/post', async ({ request }) => HttpResponse.json(await request.json())),
  http.delete<{ id: string }, never, null>('/user/:id', () => HttpResponse.json(null)),
  http.patch<{ id: string }, Partial<User>, User | { error: string }>('/user/:id', async ({ request, params }) => {
    const changes = await request.json()
    if (!changes.name) return HttpResponse.json({ error: 'no name' }, { status: 400 })
    return HttpResponse.json({ id: params.id, name: changes.name })
  }),
  http.get<{ path: string[] }>('/files/:path+', ({ params }) => HttpResponse.json({ path: params.path.join('/') })),
]

// Untyped handlers.
export const handlers = [
  http.get('/user/:id', ({ params }) => {
    const { id } = params
    return HttpResponse.json({ id })
  }),
  http.get(/\/users\/\d+/, ({ request }) => HttpResponse.text(new URL(request.url).pathname)),
  http.all('*', () => passthrough()),
  http.get('/error', () => HttpResponse.error()),
  http.get('/nothing', () => {}),
  http.get('/undefined', () => undefined),
  http.get('/once', () => new HttpResponse('once'), { once: true }),
  http.post('/form', async ({ request }) => {
    const data = await request.formData()
    const name = data.get('name')
    if (!name) return new HttpResponse('Missing', { status: 400 })
    return HttpResponse.formData(data)
  }),
  http.post('/echo', async ({ request }) => HttpResponse.json(await request.clone().json())),
  http.get('/cookies', ({ cookies }) => HttpResponse.json({ session: cookies['session'] })),
  http.get('/headers', ({ request }) =>
    HttpResponse.text(request.headers.get('x-a') ?? '', { headers: { 'X-B': '1' } }),
  ),
  http.get('/slow', async () => {
    await delay()
    await delay('real')
    await delay('infinite')
    await delay(100)
    return HttpResponse.xml('<a/>')
  }),
  http.get('/real', async ({ request }) => {
    const response = await fetch(bypass(request))
    const real = (await response.json()) as User
    return HttpResponse.json({ ...real, mocked: true }, response)
  }),
  http.get('/patched', async ({ request }) => {
    const real: Response = await fetch(bypass(request, { method: 'POST' }))
    return new HttpResponse(real.body, { status: real.status, headers: real.headers })
  }),
  http.get('/stream', () => new HttpResponse(new ReadableStream(), { headers: { 'Content-Type': 'video/mp4' } })),
  http.get('/buffer', () => HttpResponse.arrayBuffer(new Uint8Array([1]).buffer)),
  http.get('/redirect', () => HttpResponse.redirect('/login', 302)),
  http.get('/plain', () => new Response('plain')),
  http.get('/thrown', () => {
    throw HttpResponse.json({ error: 'thrown' }, { status: 500 })
  }),
  http.get('/throws', () => {
    throw new Error('mine')
  }),
  http.get('/steps', function* () {
    let count = 0
    while (count < 3) {
      count++
      yield HttpResponse.json({ count })
    }
    return HttpResponse.json({ done: true })
  }),
  http.get('/steps', async function* () {
    yield HttpResponse.json({ count: 1 })
    return HttpResponse.json({ done: true })
  }),
  http.get(
    ({ request }) => request.url.includes('a'),
    () => HttpResponse.html('<p>a</p>'),
  ),
]

// Separate resolvers, and higher-order resolvers.
const resolver: HttpResponseResolver = ({ request, params, cookies, requestId }) =>
  HttpResponse.json({ url: request.url, params, cookies, requestId })
const typedResolver: HttpResponseResolver<{ id: string }, never, User> = ({ params }) =>
  HttpResponse.json({ id: params.id, name: 'Ada' })
const anyResolver: ResponseResolver = () => HttpResponse.json({ a: 1 })
const extrasResolver: ResponseResolver<HttpRequestResolverExtras<{ id: string }>, never, User> = ({ params }) =>
  HttpResponse.json({ id: params.id, name: 'Ada' })

function withAuth<Params extends PathParams, RequestBody extends DefaultBodyType, ResponseBody extends DefaultBodyType>(
  inner: HttpResponseResolver<Params, RequestBody, ResponseBody>,
): HttpResponseResolver<Params, RequestBody, ResponseBody> {
  return (input) => {
    if (!input.request.headers.get('Authorization')) throw new HttpResponse(null, { status: 401 })
    return inner(input)
  }
}

function withDelay(time: number, inner: HttpResponseResolver): HttpResponseResolver {
  return async (input) => {
    await delay(time)
    return inner(input)
  }
}

function withPermission(...roles: string[]): (inner: HttpResponseResolver) => HttpResponseResolver {
  return (inner) => async (input) => {
    const role = input.cookies['role']
    if (!role || !roles.includes(role)) return HttpResponse.text('Forbidden', { status: 403 })
    return inner(input)
  }
}

function withJson<Body extends JsonBodyType>(
  body: Body,
  init?: HttpResponseInit,
): HttpResponseResolver<never, never, Body> {
  return () => HttpResponse.json(body as never, init) as never
}

export const wrapped = [
  http.get('/a', resolver),
  http.get('/user/:id', typedResolver),
  http.get('/a', anyResolver),
  http.get('/user/:id', extrasResolver),
  http.get('/a', withAuth(resolver)),
  http.get<{ id: string }, never, User>(
    '/user/:id',
    withAuth<{ id: string }, never, User>(({ params }) => HttpResponse.json({ id: params.id, name: 'Ada' })),
  ),
  http.get('/a', withDelay(5, withAuth(resolver))),
  http.get('/a', withPermission('admin')(resolver)),
  http.get('/a', withJson({ a: 1 })),
]

export function createCrud<Item extends { id: string }>(path: string, items: Map<string, Item>): HttpHandler[] {
  return [
    http.get<never, never, Item[]>(path, () => HttpResponse.json([...items.values()])),
    http.get<{ id: string }>(`${path}/:id`, ({ params }) => {
      const item = items.get(params.id)
      return item ? HttpResponse.json(item) : new HttpResponse(null, { status: 404 })
    }),
    http.post<never, Item>(path, async ({ request }) => {
      const item = await request.json()
      items.set(item.id, item)
      return HttpResponse.json(item, { status: 201 })
    }),
  ]
}

// Exported types.
export const options: RequestHandlerOptions = { once: true }
export const path: Path = /a/
export const body: DefaultBodyType = { a: 1 }
export const form: DefaultRequestMultipartBody = { a: 'text', b: ['c'] }
export async function readBody(request: StrictRequest<{ a: number }>): Promise<number> {
  const clone = request.clone()
  return (await clone.json()).a
}
export const strict: HttpResponse<User> = HttpResponse.json({ id: '1', name: 'Ada' })
export const response: Response = HttpResponse.text('a')
export const passed: HttpResponse<User> = passthrough()
export const bytes: Response = HttpResponse.arrayBuffer(new Uint8Array([1]).buffer as ArrayBufferLike)
export const streamed = (chunks: AsyncIterable<Uint8Array>): Response => new HttpResponse(chunks)
export const matched: boolean = matchRequestUrl(new URL('http://localhost/a'), '/a', 'http://localhost').matches

// GraphQL, by a link, which all versions have.
const api = graphql.link('https://api.example.com/graphql')
interface UserQuery {
  user: User
}
interface UserVariables {
  id: string
}
const graphqlResolver: GraphQLResponseResolver<UserQuery, UserVariables> = ({ variables }) =>
  HttpResponse.json({ data: { user: { id: variables.id, name: 'Ada' } } })

function withSession<Query extends GraphQLQuery, Variables extends GraphQLVariables>(
  inner: GraphQLResponseResolver<Query, Variables>,
): GraphQLResponseResolver<Query, Variables> {
  return (input) => {
    if (!input.cookies['session']) return HttpResponse.json({ errors: [{ message: 'Sign in' }] })
    return inner(input)
  }
}

export const graphqlHandlers = [
  api.query<UserQuery, UserVariables>('GetUser', ({ variables, query, operationName, request }) => {
    request.headers.get('a')
    return HttpResponse.json({
      data: { user: { id: variables.id, name: `${query}${operationName}` } },
      extensions: { cost: 1 },
    })
  }),
  api.query('GetUser', ({ variables }) => HttpResponse.json({ data: { user: { id: variables['id'] } } })),
  api.mutation<{ login: { token: string } }, { input: { name: string } }>('Login', ({ variables }) =>
    HttpResponse.json({ data: { login: { token: variables.input.name } } }),
  ),
  api.query('GetUser', () => HttpResponse.json({ errors: [{ message: 'no', extensions: { code: 'X' } }] })),
  api.query<UserQuery>('GetUser', () => HttpResponse.json({ data: null, errors: [{ message: 'no' }] })),
  api.query(/Get/, () => new HttpResponse(null, { status: 500 })),
  api.operation(({ query, variables }) => HttpResponse.json({ data: { query, variables } })),
  api.operation<UserQuery, UserVariables>(graphqlResolver),
  api.query('GetUser', graphqlResolver),
  api.query('GetUser', withSession(graphqlResolver)),
  api.query('GetUser', () => passthrough()),
  api.query('GetUser', () => HttpResponse.error()),
  api.query('GetUser', () => HttpResponse.json({ data: { a: 1 } }), { once: true }),
  api.query('GetUser', function* () {
    yield HttpResponse.json({ data: { a: 1 } })
    return HttpResponse.json({ data: { a: 2 } })
  }),
]
export const graphqlHandler: GraphQLHandler | undefined = graphqlHandlers[0]

// WebSocket and server-sent events.
const chat: WebSocketLink = ws.link('wss://chat.example.com/:room')
export const socketHandler: WebSocketHandler = chat.addEventListener(
  'connection',
  ({ client, server, params, info }) => {
    client.addEventListener('message', (event) => {
      const data: WebSocketData = event.data
      if (data === 'stop') event.preventDefault()
      server.send(data)
      client.send(`room ${String(params['room'])}`)
      client.send(new Uint8Array([1]))
      client.send(new Blob(['a']))
    })
    client.addEventListener('close', (event) => {
      client.close(event.code, event.reason)
    })
    server.connect()
    server.addEventListener('message', (event) => client.send(event.data))
    server.addEventListener('open', () => {})
    server.close()
    chat.broadcast('all')
    chat.broadcastExcept(client, 'others')
    chat.clients.forEach((each) => each.send(each.id))
    const url: URL = client.url
    const protocols: unknown = info.protocols
    return [url, protocols] as never
  },
)
export function listen(connection: WebSocketHandlerConnection): void {
  connection.client.send('a')
}
export const streamHandler = sse<{ message: string; update: { id: number } }>(
  '/stream',
  ({ client, params, cookies }) => {
    client.send({ data: 'a' })
    client.send({ event: 'update', data: { id: Number(params['id']) } })
    client.send({ id: cookies['a'] ?? '', data: 'b' })
    client.send({ retry: 1000 })
    client.close()
    client.error()
  },
)

// Servers and workers.
const server: SetupServer = setupServer(...handlers, ...graphqlHandlers, socketHandler, streamHandler)
const worker: SetupWorker = setupWorker(...handlers)
const startOptions: StartOptions = { quiet: true, serviceWorker: { url: '/worker.js', options: { scope: '/' } } }
export const describeHandler = ({ header, path }: HttpHandlerInfo): string => `${header.toUpperCase()} ${String(path)}`
export async function use(): Promise<void> {
  server.listen()
  server.use(...wrapped)
  server.use(http.get('/a', resolver), socketHandler)
  server.resetHandlers()
  server.resetHandlers(...handlers)
  server.restoreHandlers()
  server.listHandlers().forEach((handler) => {
    if (handler instanceof RequestHandler) handler.info.header.toUpperCase()
    if (handler instanceof HttpHandler) describeHandler(handler.info)
    if (handler instanceof GraphQLHandler) String(handler.info.operationName)
  })
  server.events.on('request:start', ({ request, requestId }) => `${request.method}${requestId.length}`)
  server.events.on('request:match', ({ request }) => request.url)
  server.events.on('request:unhandled', ({ request }) => request.url)
  server.events.on('request:end', ({ request }) => request.url)
  server.events.on('response:mocked', async ({ response, request, requestId }) => {
    await response.clone().text()
    request.url.concat(requestId)
  })
  server.events.on('response:bypass', ({ response }) => response.status)
  server.events.on('unhandledException', ({ error, request }) => `${error.message}${request.url}`)
  server.events.removeAllListeners()
  const bound = server.boundary((a: number, b: string) => `${a}${b}`)
  const text: string = bound(1, 'b')
  const later: Promise<number> = server.boundary(async () => text.length)()
  await later
  server.close()
  await worker.start(startOptions)
  worker.use(...handlers)
  worker.resetHandlers()
  worker.restoreHandlers()
  worker.listHandlers()
  worker.stop()
  const answer: Response | undefined = await getResponse(handlers, new Request('http://localhost/a'))
  answer?.headers.get('a')
}
