import { once } from 'node:events'
import http, { type ClientRequest, type IncomingMessage } from 'node:http'
import https from 'node:https'
import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'

import { checkClient, type Client, type Sent } from './check-client.ts'

function start(url: string, { method, headers, body, signal }: Sent): ClientRequest {
  const client = url.startsWith('https:') ? https : http
  const request = client.request(url, { method, headers: headers ?? {}, ...(signal && { signal }) })
  request.end(body)
  return request
}

async function untilResponse(request: ClientRequest): Promise<IncomingMessage> {
  const [message] = (await once(request, 'response')) as [IncomingMessage]
  return message
}

export const nodeClient: Client = {
  async send(url, sent = {}) {
    const message = await untilResponse(start(url, sent))
    const headers = new Headers()
    for (const [index, name] of message.rawHeaders.entries()) {
      if (index % 2 === 0) headers.append(name, message.rawHeaders[index + 1] ?? '')
    }
    const { statusCode: status = 0, statusMessage: statusText = '' } = message
    return { status, statusText, headers, body: await buffer(message) }
  },
  async upload(url, chunks) {
    const client = url.startsWith('https:') ? https : http
    const request = client.request(url, { method: 'POST' })
    const response = untilResponse(request)
    await pipeline(chunks, request)
    const message = await response
    return { status: message.statusCode ?? 0, headers: new Headers(), body: await buffer(message) }
  },
  async *stream(url) {
    yield* (await untilResponse(start(url, {}))) as AsyncIterable<Uint8Array>
  },
  followsRedirects: false,
  canAbort: true,
  decompresses: false,
  canSendFiles: false,
}

checkClient('node:http', nodeClient)
checkClient('node:https', { ...nodeClient, origin: () => 'https://api.test' })
