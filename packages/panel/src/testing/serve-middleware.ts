import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

/**
 * Serves a listener whose errors are kept, as servers do that continue after an uncaught error.
 *
 * @param failures gets the errors
 */
export async function serveMiddleware(
  listener: RequestListener,
  failures: unknown[],
): Promise<{ server: Server; origin: string }> {
  const server = createServer((request, response) => {
    try {
      listener(request, response)
    } catch (error) {
      failures.push(error)
      response.writeHead(500).end()
    }
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  return { server, origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}
