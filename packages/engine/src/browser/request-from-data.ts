import { withUrl } from '../core/network/performed.ts'
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
 * A response as a message: its parts, and what of them to hand over. A stream goes faster than its bytes or its text
 * would, small ones too. Where the platform cannot hand over streams, the body is read first.
 */
export async function toTransfer(response: Response): Promise<{ data: ResponseData; transfer: Transferable[] }> {
  const { status, statusText, headers } = response
  const decompressed = decompressedBody(response)
  const body =
    decompressed === null || canTransferStreams() ? decompressed : await new Response(decompressed).arrayBuffer()
  const data = { status, statusText, headers: [...headers] as [string, string][], body }
  return { data, transfer: body === null ? [] : [body] }
}

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
