import { describe } from '../handlers/check-handlers.ts'

/** An error as JSON. */
export interface ErrorText {
  readonly name: string
  readonly message: string
  readonly stack: string | undefined
}

/** What was thrown, as an error: whatever else it is, an error that describes it. */
export function toError(thrown: unknown): Error {
  if (isError(thrown)) return thrown
  return new Error(
    typeof thrown === 'string' ? thrown : (attempt(() => describe(thrown)) ?? 'a value that cannot be read'),
  )
}

/** Reads an error, whatever its properties are: getters that throw are taken for missing. */
export function readError(error: Error): ErrorText {
  const textOf = (key: 'name' | 'message' | 'stack'): string | undefined =>
    attempt(() => {
      const value: unknown = error[key]
      return value === undefined ? undefined : `${value as string}`
    })
  return { name: textOf('name') ?? 'Error', message: textOf('message') ?? '', stack: textOf('stack') }
}

/** An error of this realm or another (jsdom and frames bring their own). */
function isError(value: unknown): value is Error {
  return attempt(() => value instanceof Error || Object.prototype.toString.call(value) === '[object Error]') ?? false
}

function attempt<Result>(read: () => Result): Result | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}
