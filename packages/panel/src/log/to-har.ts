import type { HeaderList, InspectedBody, LoggedRequest, RequestDetails } from '@understudy/engine/inspect'

import { isSecretName } from './secret-names.ts'

/** A request of the log. `null`: its headers and bodies are no longer available. */
export interface Exchange {
  readonly request: LoggedRequest
  readonly details: RequestDetails | null
}

const redacted = 'redacted'

/** The comment of a body that is not complete. */
export const partOfBody = 'This is the beginning of the body.'

/**
 * Returns decided requests as an HTTP archive (HAR 1.2), the oldest first. A batch contains its operations. The values of headers that carry cookies, tokens
 * and keys are replaced by `redacted`. URLs and bodies are not changed.
 *
 * @see http://www.softwareishard.com/blog/har-12-spec/
 */
export function toHar(exchanges: readonly Exchange[]): string {
  const entries = exchanges
    .filter(({ request }) => request.outcome !== 'pending' && request.partOf === undefined)
    .toSorted((one, other) => one.request.startedAt - other.request.startedAt)
    .map(toEntry)
  // The version of the custom fields, which begin with an underscore.
  return JSON.stringify({ log: { version: '1.2', creator: { name: 'Understudy', version: '1' }, entries } }, null, 2)
}

function toEntry({ request, details }: Exchange): object {
  const { startedAt, duration, respondedAfter, outcome, handler, error } = request
  const time = respondedAfter ?? duration ?? 0
  return {
    startedDateTime: new Date(startedAt).toISOString(),
    time,
    request: toHarRequest(request, details),
    response: toHarResponse(request, details),
    cache: {},
    timings: { send: 0, wait: time, receive: 0 },
    _outcome: outcome,
    ...(handler && { _handler: handler.header }),
    ...(error !== null && { _error: error }),
  }
}

function toHarRequest({ method, url }: LoggedRequest, details: RequestDetails | null): object {
  const body = details?.bodies.request ?? null
  return {
    method,
    url,
    httpVersion: 'HTTP/1.1',
    cookies: [],
    headers: toHarHeaders(details?.headers?.request ?? []),
    queryString: [...new URL(url).searchParams].map(([name, value]) => ({ name, value })),
    // The format has no encoding for request bodies, so bodies that are not text are left out.
    ...(body?.text != null && { postData: { mimeType: body.type, text: body.text, ...commentOf(body) } }),
    headersSize: -1,
    bodySize: body?.size ?? 0,
  }
}

function toHarResponse({ status, statusText }: LoggedRequest, details: RequestDetails | null): object {
  const headers = details?.headers?.response ?? []
  const body = details?.bodies.response ?? null
  return {
    // Browsers write failed requests in this way.
    status: status ?? 0,
    statusText: statusText ?? '',
    httpVersion: 'HTTP/1.1',
    cookies: [],
    headers: toHarHeaders(headers),
    content: {
      size: body?.size ?? 0,
      mimeType: body?.type ?? '',
      ...(body?.text != null && { text: body.text }),
      ...(body?.base64 != null && { text: body.base64, encoding: 'base64' }),
      ...(body && commentOf(body)),
    },
    redirectURL: headers.find(([name]) => name.toLowerCase() === 'location')?.[1] ?? '',
    headersSize: -1,
    bodySize: -1,
  }
}

function commentOf({ isComplete }: InspectedBody): { comment?: string } {
  return isComplete ? {} : { comment: partOfBody }
}

function toHarHeaders(headers: HeaderList): readonly object[] {
  return headers.map(([name, value]) => ({ name, value: isSecretName(name) ? redacted : value }))
}
