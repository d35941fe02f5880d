import { describe } from '../describe.ts'
import { failure } from '../failure.ts'

/**
 * Checks that a value is a request that handlers can read. Requests of other realms and of polyfills are not instances
 * of this realm's `Request`.
 *
 * @param operation the operation that needs the request, as the continuation of "Failed to"
 * @throws {UnderstudyError} if it is not a request, or its body was already read
 */
export function checkRequest(operation: string, value: unknown): asserts value is Request {
  const { url, method, headers, clone, bodyUsed } = (value ?? {}) as Partial<Record<keyof Request, unknown>>
  const isRequest = [url, method].every((text) => typeof text === 'string') && typeof clone === 'function'
  if (!isRequest || typeof (headers as Headers | null | undefined)?.get !== 'function') {
    throw failure(
      'US0215',
      operation,
      `the request is ${describe(value)}`,
      "Pass a Request: new Request('https://example.com/user').",
    )
  }
  if (!bodyUsed) return
  throw failure(
    'US0214',
    operation,
    `the body of ${method as string} ${url as string} was already read`,
    'Pass request.clone() to the code that reads it first.',
  )
}
