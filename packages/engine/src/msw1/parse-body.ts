import { Response } from '../core/platform.ts'

/** A form's fields by name: text or a file, or a list of them if a name occurs several times. */
export type FormRecord = Record<string, FormDataEntryValue | FormDataEntryValue[]>

/**
 * Parses a request's body as MSW 1 does: parses JSON, converts a multipart form into a record of its fields, and
 * returns anything else (including urlencoded forms) as text. A body that does not fit its type is returned as text,
 * too.
 *
 * @returns `undefined` for a GET or HEAD without a body
 */
export async function parseBody(bytes: ArrayBuffer, { headers, method }: Request): Promise<unknown> {
  const type = headers.get('content-type')?.toLowerCase() ?? ''
  const text = new TextDecoder().decode(bytes)
  if (text === '') return method === 'GET' || method === 'HEAD' ? undefined : ''
  if (type.startsWith('multipart/form-data')) {
    // Use the original header, because the boundary is case-sensitive.
    const init = { headers: { 'Content-Type': headers.get('content-type') ?? '' } }
    return new Response(bytes, init).formData().then(toRecord, () => text)
  }
  if (!type.includes('json')) return text
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

function toRecord(form: FormData): FormRecord {
  // The record has no prototype, because a field may be named `__proto__`.
  const record = Object.create(null) as FormRecord
  for (const name of new Set(form.keys())) {
    const values = form.getAll(name)
    record[name] = values.length === 1 ? (values[0] as FormDataEntryValue) : values
  }
  return record
}
