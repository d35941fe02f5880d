import { BrokenRequest } from './broken-request.ts'

/**
 * Returns the operation (or the batch) of a multipart request, with the files at the paths of its map.
 *
 * @throws {BrokenRequest} if the parts are not valid
 * @see https://github.com/jaydenseric/graphql-multipart-request-spec
 */
export function readMultipartBody(form: FormData): unknown {
  const operations = readJson(form, 'operations')
  if (typeof operations !== 'object' || operations === null) {
    throw new BrokenRequest('its multipart field "operations" is neither an operation nor an array of them')
  }
  if (!form.has('map')) return operations
  const map = readJson(form, 'map')
  if (typeof map !== 'object' || map === null || Array.isArray(map)) {
    throw new BrokenRequest('its multipart map is not an object')
  }
  for (const [field, paths] of Object.entries(map as Record<string, unknown>)) {
    if (!Array.isArray(paths))
      throw new BrokenRequest(`its multipart map maps "${field}" to a value that is not an array of paths`)
    const file = form.get(field)
    if (file === null)
      throw new BrokenRequest(`its multipart map names the file "${field}", which is not a part of the request`)
    for (const path of paths as unknown[]) put(operations, String(path), file)
  }
  return operations
}

function readJson(form: FormData, name: string): unknown {
  const text = form.get(name)
  try {
    return JSON.parse(typeof text === 'string' ? text : '') as unknown
  } catch (cause) {
    throw new BrokenRequest(`its multipart field "${name}" is not JSON (${(cause as Error).message})`)
  }
}

/** Sets a file at a path such as `variables.files.0`, where the client has sent `null`. */
function put(operations: object, path: string, file: File | string): void {
  const keys = path.split('.')
  const last = keys.pop() ?? ''
  let place: unknown = operations
  for (const key of keys) place = isHolder(place, key) ? place[key] : undefined
  if (!isHolder(place, last)) {
    throw new BrokenRequest(`its multipart map puts a file at "${path}", which its operations do not have`)
  }
  place[last] = file
}

/** Accepts only own keys and the items of an array: the path is untrusted and must not reach a prototype. */
function isHolder(value: unknown, key: string): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return false
  return !Array.isArray(value) || /^\d+$/.test(key)
}
