import { getResponse, type AnyHandler } from '@understudy/engine'

/**
 * Returns the response of handlers to a request. It is a global in the tests of documentation pages.
 *
 * @param input a URL, absolute or relative to `https://app.example/`
 * @throws {Error} if no handler answers, or the answer is a network error
 */
export async function ask(
  handlers: AnyHandler | readonly AnyHandler[],
  input: string,
  init?: RequestInit,
): Promise<Response> {
  const baseUrl = 'https://app.example/'
  const request = new Request(new URL(input, baseUrl), init)
  const response = await getResponse([handlers].flat(), request, { baseUrl })
  if (!response) throw new Error(`No handler answered ${request.method} ${request.url}.`)
  if (response.type === 'error') throw new TypeError('Failed to fetch')
  return response
}
