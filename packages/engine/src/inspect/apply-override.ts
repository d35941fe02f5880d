import { discardBody } from '../core/handlers/finalizers.ts'
import type { AppliedOverride, Override } from '../core/handlers/override.ts'
import { Headers } from '../core/platform.ts'
import { HttpResponse, setCookiesOf } from '../core/responses/http-response.ts'

/** Returns an override as the network applies it. */
export function toAppliedOverride(override: Override | null): AppliedOverride | undefined {
  if (!override) return undefined
  const { status, headers, body } = override
  if (status === undefined && headers === undefined && body === undefined) return { ...override }
  return { ...override, apply: (response) => applyOverride(response, override) }
}

/** Returns an override as plain data. */
export function toPlainOverride(override: AppliedOverride | undefined): Override | null {
  if (!override) return null
  const { apply: _, ...plain } = override
  return plain
}

/**
 * Returns a response with another status, other headers or another body. For a status that cannot have a body, the body
 * is dropped.
 */
function applyOverride(response: Response, override: Override): Response {
  const { status = response.status, headers, body, bodyEncoding } = override
  const changed = new Headers((headers as [string, string][] | undefined) ?? response.headers)
  // Keep `Set-Cookie`: browsers do not show these headers, so a developer cannot repeat them in an override.
  if (!headers || !changed.has('set-cookie')) {
    changed.delete('set-cookie')
    for (const setCookie of setCookiesOf(response)) changed.append('set-cookie', setCookie)
  }
  const hasBody = ![204, 205, 304].includes(status)
  if (body !== undefined || !hasBody) {
    // These headers describe the replaced body.
    for (const name of ['content-length', 'content-encoding']) changed.delete(name)
    // Cancel the body, so that the resolver of an event stream learns that it is not read.
    discardBody(response.body)
  }
  // The constructor of Response adds a Content-Type for text.
  const replaced = body === undefined ? response.body : toBytes(body, bodyEncoding)
  return new HttpResponse(hasBody ? replaced : null, {
    status,
    headers: changed,
    ...(status === response.status && { statusText: response.statusText }),
  })
}

function toBytes(body: string, encoding: Override['bodyEncoding']): Uint8Array<ArrayBuffer> {
  if (encoding === undefined) return new TextEncoder().encode(body)
  try {
    return Uint8Array.from(atob(body), (char) => char.charCodeAt(0))
  } catch {
    // A panel of another version, or an edited address, may send something else.
    return new TextEncoder().encode(body)
  }
}
