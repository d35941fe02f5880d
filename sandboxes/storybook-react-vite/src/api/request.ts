/** An error response, with the server's text. */
export class RequestFailed extends Error {
  readonly status: number
  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

export async function requestJson<Body>(path: string, init?: RequestInit): Promise<Body> {
  const response = await fetch(path, init)
  const body: unknown = response.status === 204 ? undefined : await response.json().catch(() => undefined)
  if (response.ok) return body as Body
  throw new RequestFailed(response.status, (body as { message?: string } | undefined)?.message ?? response.statusText)
}

export function sendJson<Body>(path: string, value: unknown): Promise<Body> {
  return requestJson(path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(value),
  })
}
