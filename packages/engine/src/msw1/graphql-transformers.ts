import { failure } from '../core/failure.ts'
import type { ResponseTransformer } from './response-composition.ts'
import { json } from './transformers.ts'

/** The known members of an error in a GraphQL response. */
export interface GraphQLErrorLike {
  readonly message?: string
  readonly locations?: readonly { readonly line: number; readonly column: number }[] | undefined
  readonly path?: readonly (string | number)[] | undefined
  readonly extensions?: Readonly<Record<string, unknown>>
}

/** Sets `data`. A second call adds to the existing `data`. */
export function data(payload: object): ResponseTransformer {
  return merge({ data: payload })
}

/** Sets `errors`, unless the list is missing. */
export function errors(list: readonly GraphQLErrorLike[] | null | undefined): ResponseTransformer {
  return list ? merge({ errors: list }) : (res) => res
}

/** Sets `extensions`. */
export function extensions(payload: object): ResponseTransformer {
  return merge({ extensions: payload })
}

/**
 * Sets a custom field next to `data`.
 *
 * @throws {UnderstudyError} if the name is `data`, `errors`, `extensions` or empty
 */
export function field(name: string, value: unknown): ResponseTransformer {
  if (name.trim() === '' || ['data', 'errors', 'extensions'].includes(name)) {
    throw failure(
      'US0522',
      'set a field of a GraphQL response',
      name.trim() === '' ? 'its name is empty' : `"${name}" is a standard field of every response`,
      name.trim() === '' ? 'Pass a name.' : `Use ctx.${name}(…).`,
    )
  }
  return merge({ [name]: value })
}

/** Adds members to the existing JSON body: merges records, and concatenates lists. */
function merge(members: object): ResponseTransformer {
  return (res) => json(mergeRecords(parseRecord(res.body), members))(res) as typeof res
}

function parseRecord(body: unknown): object {
  if (typeof body !== 'string') return {}
  try {
    const value: unknown = JSON.parse(body)
    return isRecord(value) ? value : {}
  } catch {
    return {}
  }
}

function mergeRecords(left: object, right: object): object {
  const merged = new Map<string, unknown>(Object.entries(left))
  for (const [name, value] of Object.entries(right) as [string, unknown][]) {
    const known = merged.get(name)
    if (Array.isArray(known) && Array.isArray(value))
      merged.set(name, [...(known as unknown[]), ...(value as unknown[])])
    else if (isRecord(known) && isRecord(value)) merged.set(name, mergeRecords(known, value))
    else merged.set(name, value)
  }
  return Object.fromEntries(merged)
}

function isRecord(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
