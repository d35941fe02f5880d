/**
 * Copies a body that the app could still change before it is sent; the platform copies at the time of the call.
 * What cannot change is returned as it is.
 *
 * Goes by tags, not by `instanceof`: a body may come from another window.
 */
export function captureBody<Body>(body: Body): Body {
  return (copyBody(body) ?? body) as Body
}

function copyBody(body: unknown): unknown {
  const tag = Object.prototype.toString.call(body).slice('[object '.length, -1)
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
  // A blob without a type sends the same bytes and, like these, no Content-Type.
  if (tag === 'ArrayBuffer' || ArrayBuffer.isView(body)) return new Blob([body as BufferSource])
  return undefined
}
