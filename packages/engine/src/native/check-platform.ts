import { failure } from '../core/failure.ts'
import { Headers } from '../core/platform.ts'

/**
 * Checks that the runtime is React Native, and that its `URL` parses URLs.
 *
 * @throws {UnderstudyError} if not
 */
export function checkPlatform(): void {
  const { XMLHttpRequest } = globalThis
  if (
    typeof (XMLHttpRequest?.prototype as Partial<NativeXMLHttpRequest> | undefined)?.__didReceiveResponse !== 'function'
  ) {
    throw failure(
      'US1101',
      'listen',
      "the global XMLHttpRequest is not React Native's",
      'In Node, import setupServer from "@understudy/engine/node". In a browser, use setupWorker.',
    )
  }
  // React Native's own class finds parts of a URL with regular expressions.
  if (readHref('HTTP://EXAMPLE.com:80/a/../b') === 'http://example.com/b' && readHref('a') === undefined) return
  throw failure(
    'US1102',
    'listen',
    "React Native's URL does not parse URLs by the standard",
    'Install react-native-url-polyfill, and import "react-native-url-polyfill/auto" before the handlers.',
  )
}

function readHref(url: string): string | undefined {
  try {
    return new URL(url).href
  } catch {
    return undefined
  }
}

/** React Native's `XMLHttpRequest`, with the methods that its native module calls. */
export interface NativeXMLHttpRequest extends XMLHttpRequest {
  /** Whether `send()` was called. */
  _sent: boolean
  _method: string
  _url: string
  __didCreateRequest(requestId: number): void
  __didReceiveResponse(requestId: number, status: number, headers: Record<string, string>, url: string): void
  /** @param data text, Base64 for the response type `arraybuffer`, or the data of a `Blob` */
  __didReceiveData(requestId: number, data: unknown): void
  __didCompleteResponse(requestId: number, error: string, isTimeOut: boolean): void
}

/** Adds methods of the standards that the engine calls and React Native lacks. */
export function addMissingMethods(): void {
  // React Native joins values with commas. A comma in a date is not followed by a name and "=".
  addMethod(Headers.prototype, 'getSetCookie', function (this: Headers): unknown {
    return this.get('set-cookie')?.split(/,\s*(?=[^\s;,=]+=)/) ?? []
  })
  addMethod(String.prototype, 'toWellFormed', function (this: string): unknown {
    return this.replace(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g, '\ufffd')
  })
}

function addMethod(prototype: object, name: string, value: (this: never) => unknown): void {
  if (!(name in prototype)) Object.defineProperty(prototype, name, { value, configurable: true, writable: true })
}
