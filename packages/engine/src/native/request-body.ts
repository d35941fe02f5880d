import type { RequestBody } from '../core/handlers/incoming-request.ts'

/** React Native's `FormData`, which can only be written. */
interface NativeFormData {
  readonly _parts?: readonly (readonly [name: string, value: unknown])[]
}

/** React Native's `Request` and `Response`, which keep the body that their constructor got. */
export interface Kept {
  readonly _bodyInit?: unknown
}

/** Reads and copies the body of a request. Handlers can read forms, for which React Native's `Request` throws. */
export function toRequestBody(request: Request): RequestBody {
  return { text: () => copyRequest(request).text(), copy: () => copyRequest(request) }
}

function copyRequest(request: Request): Request {
  const copy = request.clone()
  const methods = {
    clone: () => copyRequest(request),
    formData: async () => toReadable(formOf(request) ?? parseForm(await copy.text())),
  }
  return Object.assign(copy, methods)
}

function formOf(request: Request): FormData | undefined {
  const { _bodyInit: body } = request as Kept
  return body instanceof FormData ? body : undefined
}

const formType = 'multipart/form-data'

/** Sets the type of a form for handlers. React Native's native code sets it with the boundary. */
export function showFormType(request: Request): void {
  if (formOf(request) && !request.headers.has('content-type')) request.headers.set('content-type', formType)
}

/** Removes the type of a form, which has no boundary, from a request for the network. */
export function hideFormType(request: Request): void {
  if (formOf(request) && request.headers.get('content-type') === formType) request.headers.delete('content-type')
}

function parseForm(text: string): FormData {
  const form = new FormData()
  for (const [name, value] of new URLSearchParams(text)) form.append(name, value)
  return form
}

/** Adds the methods of the standard that React Native's `FormData` lacks. */
function toReadable(form: FormData): FormData {
  const parts = (form as NativeFormData)._parts
  if (!parts) return form
  const copy = new FormData()
  for (const [name, value] of parts) copy.append(name, value as string)
  const entries = (): IterableIterator<readonly [string, unknown]> => parts.values()
  const methods = {
    get: (name: string) => parts.find(([key]) => key === name)?.[1] ?? null,
    has: (name: string) => parts.some(([key]) => key === name),
    entries,
    keys: () => parts.map(([key]) => key).values(),
    values: () => parts.map(([, value]) => value).values(),
    forEach: (call: (value: unknown, name: string, form: FormData) => void) =>
      parts.forEach(([name, value]) => call(value, name, copy)),
    [Symbol.iterator]: entries,
  }
  return Object.assign(copy, methods)
}
