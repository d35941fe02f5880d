/** The members of `node:http` that a middleware needs. Not every app has the types of Node. */
interface ScriptRequest {
  readonly method?: string | undefined
  readonly url?: string | undefined
  /** The URL as the client sent it, if a server in front removes its start. */
  readonly originalUrl?: string | undefined
}

interface ScriptResponse {
  statusCode: number
  setHeader(name: string, value: string): unknown
  end(body?: string): unknown
}

/** A middleware of `connect` or `express`. */
export type Middleware = (request: ScriptRequest, response: ScriptResponse, next: () => void) => void

/**
 * Creates a middleware that responds to one path with a script.
 *
 * @param path the path of requests, without a query
 * @param read returns the script's text, or `undefined` to leave the request to others
 * @param scope the scope that a service worker of the script may have. Default: its folder
 */
export function serveScript(path: string, read: () => string | undefined, scope?: string): Middleware {
  return (request, response, next) => {
    const isRead = request.method === 'GET' || request.method === 'HEAD'
    // Express removes the path at which an app has the dev server from `url`.
    const isAsked = isRead && [request.url, request.originalUrl].some((url) => url?.split('?')[0] === path)
    const script = isAsked ? read() : undefined
    if (script === undefined) {
      next()
      return
    }
    // Koa sets the status 404 before it calls a middleware of Connect.
    response.statusCode = 200
    response.setHeader('Content-Type', 'text/javascript; charset=utf-8')
    response.setHeader('Cache-Control', 'no-cache')
    if (scope !== undefined) response.setHeader('Service-Worker-Allowed', scope)
    response.setHeader('X-Content-Type-Options', 'nosniff')
    response.end(request.method === 'HEAD' ? undefined : script)
  }
}
