/**
 * The API that Understudy and the versions of MSW have in common. The MSW versions are installed only for the benchmarks
 * (`bench/package.json`), so their modules are loaded by name and typed here.
 */
export interface MswLike {
  readonly http: {
    get(path: string, resolver: Resolver): object
    post(path: string, resolver: Resolver): object
  }
  readonly HttpResponse: { json(body: unknown): Response; text(body: string): Response }
  getResponse(handlers: readonly object[], request: Request): Promise<Response | undefined>
}

type Resolver = (info: { request: Request }) => Response | Promise<Response>

export interface GraphqlLike {
  readonly graphql: { link(url: string): { query(name: string, resolver: () => Response): object } }
}

export interface ServerLike {
  listen(options: { onUnhandledRequest?: 'bypass'; onUnhandledFrame?: 'bypass' }): unknown
  close(): unknown
  use(...handlers: readonly object[]): void
  resetHandlers(): void
}

export interface NodeLike {
  readonly setupServer: (...handlers: readonly object[]) => ServerLike
}

/** Only Understudy has this entry. */
export interface ServerEntry {
  readonly createFetchHandler: (handlers: readonly object[]) => (request: Request) => Promise<Response>
}

/** The specifiers of a subject's entries. */
export interface Specifiers {
  readonly core: string
  readonly graphql: string
  readonly node: string
  readonly browser: string
  /** The script of the service worker. */
  readonly worker: string
}

export const understudy = 'Understudy'
/** {@link understudy} with `answer: 'page'`, as in tests. */
export const understudyInPage = 'Understudy, in the page'
/** {@link understudy} with a handler that reads the request, because its `Request` is created only then. */
export const understudyWithRequest = 'Understudy, request read'
export const msw3 = 'msw 3'
export const msw2 = 'msw 2'

const ofUnderstudy: Specifiers = {
  core: '@understudy/engine',
  graphql: '@understudy/engine',
  node: '@understudy/engine/node',
  browser: '@understudy/engine/browser',
  worker: '@understudy/engine/worker',
}

/** The specifiers by subject. */
export const mswLikes: ReadonlyMap<string, Specifiers> = new Map([
  [understudy, ofUnderstudy],
  [understudyInPage, ofUnderstudy],
  [understudyWithRequest, ofUnderstudy],
  [
    msw3,
    {
      core: 'msw',
      graphql: 'msw/graphql',
      node: 'msw/node',
      browser: 'msw/browser',
      worker: 'msw/mockServiceWorker.js',
    },
  ],
  [
    msw2,
    {
      core: 'msw-2',
      graphql: 'msw-2',
      node: 'msw-2/node',
      browser: 'msw-2/browser',
      worker: 'msw-2/mockServiceWorker.js',
    },
  ],
])

export function specifiersOf(subject: string): Specifiers {
  const specifiers = mswLikes.get(subject)
  if (specifiers) return specifiers
  throw new Error(
    `Failed to find ${subject}: it is not a subject with handlers. Use one of ${[...mswLikes.keys()].join(', ')}.`,
  )
}

/** Loads a module that exists only if the benchmarks are installed. */
export async function load<Module>(specifier: string): Promise<Module> {
  return (await import(specifier)) as Module
}

/** The path that the benchmarks request. Only the last handler answers it. */
export const lastPath = '/items/last'
export const origin = 'http://api.test'
export const answer: { readonly id: string; readonly name: string } = { id: 'last', name: 'The last item' }

/**
 * Creates a number of handlers with different paths. The last one has {@link lastPath}.
 *
 * @param resolver the resolver of the last one. Default: it returns {@link answer}
 */
export function createHandlers(
  { http, HttpResponse }: MswLike,
  count: number,
  base: string = origin,
  resolver: Resolver = () => HttpResponse.json(answer),
): object[] {
  return Array.from({ length: count }, (_, index) =>
    index === count - 1
      ? http.get(base + lastPath, resolver)
      : http.get(`${base}/items-${index}/:id`, () => HttpResponse.json({ index })),
  )
}
