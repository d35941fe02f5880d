import type { Handler } from '../../core/handlers/request-handler.ts'
import { getResponse } from '../../core/network/get-response.ts'

export const endpoint = 'https://api.example.com/graphql'

/** Creates a request as most clients send it: JSON by POST. */
export function post(body: unknown, headers: Record<string, string> = {}, url: string = endpoint): Request {
  return new Request(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify(typeof body === 'string' ? { query: body } : body),
  })
}

/** Creates the same request by GET. */
export function get(fields: Record<string, string>, url: string = endpoint): Request {
  return new Request(`${url}?${new URLSearchParams(fields).toString()}`)
}

/** Returns the JSON of the response; `undefined` if no handler answers. */
export async function ask(handlers: Handler | readonly Handler[], request: Request): Promise<unknown> {
  const response = await getResponse([handlers].flat(), request)
  return response?.json()
}
