import streams from 'node:stream/web'

import { failure } from '../core/failure.ts'
import { Request } from '../core/platform.ts'

/**
 * Checks that the `Request` class that existed when the engine loaded supports streams. A polyfill converts them into
 * the text "[object ReadableStream]", and handlers would read that as the body.
 *
 * @throws {UnderstudyError} if it is a polyfill
 */
export function checkRequestClass(): void {
  if (!makesText()) return
  throw failure(
    'US0401',
    'start the server',
    'a polyfill (whatwg-fetch, node-fetch, …) replaced the global Request before @understudy/engine was loaded, and handlers ' +
      'cannot read the bodies of its requests',
    'Import @understudy/engine/node before the polyfill, or remove the polyfill: Node has fetch. In Jest, set testEnvironment ' +
      "to '@understudy/engine/jest-jsdom'.",
  )
}

function makesText(): boolean {
  // jsdom pages have no such global.
  const body = new streams.ReadableStream() as ReadableStream
  const init: RequestInit & { duplex: 'half' } = { method: 'POST', body, duplex: 'half' }
  // A text body sets a Content-Type; a stream does not.
  return new Request('http://localhost/', init).headers.get('content-type')?.startsWith('text/plain') ?? false
}
