/**
 * Adds headers that let pages of every origin read a response with credentials. Headers that the handler has set stay.
 *
 * @see https://fetch.spec.whatwg.org/#http-cors-protocol
 */
export function allowOrigin(headers: Headers, request: Request): void {
  const origin = request.headers.get('origin')
  if (origin === null || headers.has('access-control-allow-origin')) return
  headers.set('access-control-allow-origin', origin)
  headers.set('access-control-allow-credentials', 'true')
  headers.append('vary', 'Origin')
  const exposed = [...headers.keys()].filter((name) => !name.startsWith('access-control-'))
  if (!headers.has('access-control-expose-headers')) headers.set('access-control-expose-headers', exposed.join(', '))
}

/** Returns whether a request is a CORS preflight. */
export function isPreflight({ method, headers }: Request): boolean {
  return method === 'OPTIONS' && headers.has('origin') && headers.has('access-control-request-method')
}

/** Creates the response that allows the request of a preflight. */
export function allowPreflight({ headers: asked }: Request): Response {
  const headers = new Headers({
    'access-control-allow-origin': asked.get('origin') ?? '*',
    'access-control-allow-credentials': 'true',
    'access-control-allow-methods': asked.get('access-control-request-method') ?? '*',
    vary: 'Origin, Access-Control-Request-Method, Access-Control-Request-Headers',
  })
  const names = asked.get('access-control-request-headers')
  if (names) headers.set('access-control-allow-headers', names)
  return new Response(null, { status: 204, headers })
}
