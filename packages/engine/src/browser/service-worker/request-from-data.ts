import { withUrl } from '../../core/network/create-outcome.ts'
import { knownBodyOf } from '../../core/responses/http-response.ts'
import type { RequestData, ResponseData } from '../../worker/protocol.ts'
import { moveCredentials } from '../fetch/move-credentials.ts'
import { readableBody } from '../fetch/readable-body.ts'

/** Creates a request from the service worker's data. */
export function requestFromData(data: RequestData, signal: AbortSignal): Request {
  const { method, credentials, cache, redirect, referrer, referrerPolicy, integrity, keepalive } = data
  const headers = new Headers(data.headers as [string, string][])
  const url = moveCredentials(data.url, headers)
  let { mode } = data
  // Scripts cannot construct a request with the mode `navigate`.
  if (mode === 'navigate') mode = 'same-origin'
  // Media elements send this header, which the platform removes from constructed requests with the mode `no-cors`.
  if (mode === 'no-cors' && headers.has('range')) mode = 'cors'
  return new Request(url, {
    method,
    headers,
    mode,
    credentials,
    cache,
    redirect,
    referrer,
    referrerPolicy,
    integrity,
    keepalive,
    body: data.body,
    signal,
  })
}

/** Creates a response from the service worker's data. An opaque response has the status 0 there and becomes an error. */
export function responseFromData(data: ResponseData): Response {
  const { status, statusText, headers, body, url } = data
  if (status === 0) return Response.error()
  const response = new Response(body, { status, statusText, headers: headers as [string, string][] })
  return url ? withUrl(response, url) : response
}

/**
 * Converts a response into a message, with the list of objects to transfer. Text is sent as bytes, because a transferred
 * stream takes longer to reach the client and breaks more often when the browser ends the worker. Other bodies are sent as
 * streams, because reading them first is slower. If the platform cannot transfer streams, the bodies are read first.
 *
 * @param watch gets the body, and returns the body for the message
 */
export async function toTransfer(
  response: Response,
  watch?: (body: NonNullable<ResponseData['body']>, headers: Headers) => ResponseData['body'],
): Promise<{ data: ResponseData; transfer: Transferable[] }> {
  const { status, statusText, headers } = response
  const given = bytesOf(response) ?? (await toBody(await readableBody(response, decompress)))
  const body = (given && watch?.(given, headers)) ?? given
  const data = { status, statusText, headers: [...headers] as [string, string][], body }
  return { data, transfer: body === null ? [] : [body] }
}

/** Returns the bytes of a text body. */
function bytesOf(response: Response): ArrayBuffer | undefined {
  const { text = null } = knownBodyOf(response) ?? {}
  if (text === null || response.bodyUsed || response.headers.has('content-encoding')) return undefined
  return encoder.encode(text).buffer
}

/** Most pages have no compressed responses. */
async function decompress(response: Response): Promise<Response['body']> {
  const loaded = await import('../fetch/decompress.ts')
  return loaded.decompressedBody(response)
}

async function toBody(stream: ReadableStream<Uint8Array> | null): Promise<ResponseData['body']> {
  return stream === null || canTransferStreams() ? stream : new Response(stream).arrayBuffer()
}

const encoder = new TextEncoder()

let isTransferable: boolean | undefined

function canTransferStreams(): boolean {
  if (isTransferable === undefined) {
    try {
      const stream = new ReadableStream()
      structuredClone(stream, { transfer: [stream] })
      isTransferable = true
    } catch {
      isTransferable = false
    }
  }
  return isTransferable
}
