import { withUrl } from '../core/network/performed.ts'
import { knownBodyOf } from '../core/responses/http-response.ts'
import type { RequestData, ResponseData } from '../worker/protocol.ts'
import { decompressedBody } from './decompress.ts'
import { splitCredentials } from './split-credentials.ts'

/** The request that a service worker brought. */
export function requestFromData(data: RequestData, signal: AbortSignal): Request {
  const { method, credentials, cache, redirect, referrer, referrerPolicy, integrity, keepalive } = data
  const { url, authorization } = splitCredentials(data.url)
  const headers = new Headers(data.headers as [string, string][])
  if (authorization !== undefined && !headers.has('authorization')) headers.set('authorization', authorization)
  return new Request(url, {
    method,
    headers,
    // A script cannot make a navigation.
    mode: data.mode === 'navigate' ? 'same-origin' : data.mode,
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

/** The response that a service worker tells of; one that is opaque to scripts has the status 0. */
export function responseFromData(data: ResponseData): Response {
  const { status, statusText, headers, body, url } = data
  if (status === 0) return Response.error()
  const response = new Response(body, { status, statusText, headers: headers as [string, string][] })
  return url ? withUrl(response, url) : response
}

/**
 * Converts a response into a message, with the list of what to transfer. A text goes as bytes: a transferred stream takes
 * longer to reach the client, and breaks more often when the browser ends the worker. Other bodies go as a stream, which
 * is faster than to read them first. Where the platform cannot transfer streams, they are read.
 */
export async function toTransfer(response: Response): Promise<{ data: ResponseData; transfer: Transferable[] }> {
  const { status, statusText, headers } = response
  const body = bytesOf(response) ?? (await toBody(decompressedBody(response)))
  const data = { status, statusText, headers: [...headers] as [string, string][], body }
  return { data, transfer: body === null ? [] : [body] }
}

/** The bytes of a body that was a text. */
function bytesOf(response: Response): ArrayBuffer | undefined {
  const { text = null } = knownBodyOf(response) ?? {}
  if (text === null || response.bodyUsed || response.headers.has('content-encoding')) return undefined
  return encoder.encode(text).buffer
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
