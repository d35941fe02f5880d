/**
 * Copies a body that the app could still change before it is sent. The platform copies it at the time of the call.
 * Returns a body that cannot change without copying it.
 *
 * Checks tags instead of `instanceof`, because a body may come from another window.
 */
export function captureBody<Body>(body: Body): Body {
  return (copyBody(body) ?? body) as Body
}

/**
 * Converts an object that is not a body into its text, as the platform does at the time of the call: its `toString()` may
 * throw, and may call methods of the request.
 *
 * @see https://webidl.spec.whatwg.org/#js-union
 */
export function stringifyBody<Body>(body: Body): Body {
  if (body === null || body === undefined || ArrayBuffer.isView(body)) return body
  const isBody = /^((Shared)?ArrayBuffer|Blob|File|FormData|URLSearchParams|ReadableStream|(HTML|XML)?Document)$/
  return isBody.test(readTag(body)) ? body : (`${body as string}` as Body)
}

function readTag(body: unknown): string {
  return Object.prototype.toString.call(body).slice('[object '.length, -1)
}

function copyBody(body: unknown): unknown {
  const tag = readTag(body)
  if (tag === 'FormData') {
    const copy = new FormData()
    for (const [name, value] of body as FormData) {
      // A file keeps its name.
      if (typeof value === 'string') copy.append(name, value)
      else copy.append(name, value)
    }
    return copy
  }
  if (tag === 'URLSearchParams') return new URLSearchParams(body as URLSearchParams)
  if (tag.endsWith('Document')) return (body as Document).cloneNode(true)
  // A blob without a type sends the same bytes, also without a Content-Type.
  // Shared memory throws, as in the platform's functions.
  if (tag.endsWith('ArrayBuffer') || ArrayBuffer.isView(body)) return new Blob([body as BufferSource])
  return undefined
}
