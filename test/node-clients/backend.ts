import { createServer, type IncomingMessage, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

/** A real server that records its requests. */
export interface Backend {
  readonly origin: string
  /** `GET /path`, in the order of arrival. */
  readonly reached: string[]
  close(): void
}

export async function startBackend(): Promise<Backend> {
  const reached: string[] = []
  const server = createServer(createListener(reached))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    origin: `http://127.0.0.1:${port}`,
    reached,
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}

/** Creates a listener that answers with the received data. */
export function createListener(reached: string[]): RequestListener {
  return (request, response) => {
    reached.push(`${request.method} ${request.url}`)
    void text(request).then((body) => {
      response.setHeader('Content-Type', 'application/json')
      response.setHeader('Access-Control-Allow-Origin', '*')
      response.setHeader('Set-Cookie', ['real=1', 'other=2'])
      response.end(JSON.stringify({ ...describeRequest(request), body }))
    })
  }
}

function describeRequest({ method, url, headers }: IncomingMessage): object {
  return { method, url, type: headers['content-type'], accept: headers.accept, isReal: true }
}
