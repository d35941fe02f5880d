import { Response } from '../core/platform.ts'

/** A form's fields by name: text or a file, or a list of them where a name stands more than once. */
export type FormRecord = Record<string, FormDataEntryValue | FormDataEntryValue[]>

/**
 * A request's body as MSW 1 gave it: JSON parsed, a multipart form as a record of its fields, anything else (urlencoded
 * forms, too) as text. A body that is not what its type says is text.
 *
 * @returns `undefined` for a GET or HEAD without a body
 */
export async function parseBody(bytes: ArrayBuffer, { headers, method }: Request): Promise<unknown> {
  const type = headers.get('content-type')?.toLowerCase() ?? ''
  const text = new TextDecoder().decode(bytes)
  if (text === '') return method === 'GET' || method === 'HEAD' ? undefined : ''
  if (type.startsWith('multipart/form-data')) {
    // The boundary is case-sensitive: the header as it came.
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
  // Without a prototype: a field may be named `__proto__`.
  const record = Object.create(null) as FormRecord
  for (const name of new Set(form.keys())) {
    const values = form.getAll(name)
    record[name] = values.length === 1 ? (values[0] as FormDataEntryValue) : values
  }
  return record
}
