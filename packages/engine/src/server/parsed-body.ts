/**
 * Serializes the body that a body parser, such as `express.json()`, has read from a request. It removes the headers that
 * describe the bytes of the original body.
 *
 * @param body the value that the parser stored as `request.body`
 */
export function serializeParsedBody(body: unknown, headers: Headers): NonNullable<RequestInit['body']> | null {
  // The serialized body may have another length.
  headers.delete('content-length')
  headers.delete('content-encoding')
  if (body === undefined || body === null) return null
  if (typeof body === 'string') return body
  if (body instanceof Uint8Array) return new Uint8Array(body)
  if (headers.get('content-type')?.startsWith('application/x-www-form-urlencoded')) {
    return new URLSearchParams(Object.entries(body).flatMap(([name, value]) => toFields(name, value))).toString()
  }
  return JSON.stringify(body)
}

/** Returns the fields of a form. Parsers read several fields with one name, or `a[b]`, as lists and objects. */
function toFields(name: string, value: unknown): [name: string, value: string][] {
  const known = value ?? ''
  if (typeof known !== 'object') return [[name, typeof known === 'string' ? known : JSON.stringify(known)]]
  return Object.entries(known).flatMap(([key, item]: [string, unknown]) => {
    const isPlainItem = Array.isArray(known) && typeof item !== 'object'
    return toFields(isPlainItem ? name : `${name}[${key}]`, item)
  })
}
