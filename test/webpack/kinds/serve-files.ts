import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname } from 'node:path'

/** Starts a host of files that any page may load. It answers 404 for missing files. */
export async function serveFiles(
  read: (path: string) => Promise<string | undefined> | string | undefined,
): Promise<{ server: Server; port: number }> {
  const answer = async (path: string): Promise<string | undefined> => read(path)
  const server = createServer((request, response) => {
    const path = request.url ?? '/'
    answer(path).then(
      (text) => {
        const type = extname(path) === '.js' ? 'text/javascript' : 'text/html'
        response.writeHead(text === undefined ? 404 : 200, {
          'Content-Type': type,
          'Access-Control-Allow-Origin': '*',
          // The worker of a demo controls pages outside its folder.
          'Service-Worker-Allowed': '/',
        })
        response.end(text)
      },
      () => response.writeHead(404).end(),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, resolve))
  return { server, port: (server.address() as AddressInfo).port }
}
