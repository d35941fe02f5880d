import { describe } from '../core/describe.ts'
import { failure, print } from '../core/failure.ts'
import type { Kept } from './request-body.ts'

/**
 * Checks that React Native's `Response` can hold the body that it got: it takes every other object for the text
 * "[object Object]".
 *
 * @throws {UnderstudyError} for a stream. The console shows the error
 */
export function checkBody(response: Response, { method, url }: { method: string; url: string }): void {
  const { _bodyInit: body } = response as Kept
  if (typeof body !== 'object' || body === null || isKnown(body)) return
  const error = failure(
    'US1104',
    `answer ${method} ${url}`,
    `React Native's Response cannot hold a body that is ${describe(body)}`,
    'Answer with text, JSON, an ArrayBuffer, a Blob or a FormData.',
  )
  print.failure(error.message)
  throw error
}

function isBytes(body: unknown): boolean {
  return body instanceof ArrayBuffer || ArrayBuffer.isView(body)
}

function isKnown(body: object): boolean {
  return isBytes(body) || [Blob, FormData, URLSearchParams].some((Class) => body instanceof Class)
}

/**
 * Reads the body of a response as React Native's native module passes it to `XMLHttpRequest`.
 *
 * @throws {UnderstudyError} for bytes as a blob. The console shows the error
 */
export async function readNativeBody(
  response: Response,
  type: XMLHttpRequestResponseType,
  { method, url }: { method: string; url: string },
): Promise<unknown> {
  const { _bodyInit: body } = response as Kept
  if (type === 'blob') {
    if (!isBytes(body)) return ((await response.blob()) as Blob & { readonly data: unknown }).data
    const error = failure(
      'US1106',
      `answer ${method} ${url}`,
      'React Native cannot create a Blob from bytes',
      'Set responseType to "arraybuffer", or answer with text.',
    )
    print.failure(error.message)
    throw error
  }
  if (type !== 'arraybuffer') return response.text()
  // React Native reads the bytes of a text through a native blob.
  return toBase64(
    typeof body === 'string' ? new TextEncoder().encode(body) : new Uint8Array(await response.arrayBuffer()),
  )
}

const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'

/** Not every version of React Native has `btoa`. */
function toBase64(bytes: Uint8Array): string {
  let text = ''
  for (let index = 0; index < bytes.length; index += 3) {
    const [first = 0, second, third] = bytes.subarray(index, index + 3)
    const bits = (first << 16) | ((second ?? 0) << 8) | (third ?? 0)
    const digit = (shift: number): string => digits.charAt((bits >> shift) & 63)
    text += digit(18) + digit(12) + (second === undefined ? '=' : digit(6)) + (third === undefined ? '=' : digit(0))
  }
  return text
}
