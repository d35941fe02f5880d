import { Headers } from '../platform.ts'
import { HttpResponse, setCookiesOf } from '../responses/http-response.ts'

/** What a developer forces on a handler while looking at the app: by a panel, not by code. */
export interface Override {
  /** Answer with this status, 200–599, and the handler's own headers and body. */
  readonly status?: number
  /** Milliseconds to wait before the handler is asked. */
  readonly delay?: number
  /** Fail as when the host cannot be reached. */
  readonly networkError?: boolean
}

/** A response with another status; the statuses that have no body lose it. */
export function withStatus(response: Response, status: number): Response {
  const headers = new Headers(response.headers)
  headers.delete('set-cookie')
  for (const setCookie of setCookiesOf(response)) headers.append('set-cookie', setCookie)
  const hasBody = ![204, 205, 304].includes(status)
  return new HttpResponse(hasBody ? response.body : null, { status, headers })
}
