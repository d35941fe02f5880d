import { describe } from '../describe.ts'

/** An error as JSON. */
export interface ErrorText {
  readonly name: string
  readonly message: string
  readonly stack: string | undefined
}

/** Converts a thrown value into an error. If it is not an error, returns an error that describes it. */
export function toError(thrown: unknown): Error {
  if (isError(thrown)) return thrown
  return new Error(
    typeof thrown === 'string' ? thrown : (attempt(() => describe(thrown)) ?? 'a value that cannot be read'),
  )
}

/** Reads an error. A property whose getter throws counts as missing. */
export function readError(error: Error): ErrorText {
  const textOf = (key: 'name' | 'message' | 'stack'): string | undefined =>
    attempt(() => {
      const value: unknown = error[key]
      return value === undefined ? undefined : `${value as string}`
    })
  return { name: textOf('name') ?? 'Error', message: textOf('message') ?? '', stack: textOf('stack') }
}

/** Returns whether a value is an error of this or another realm (jsdom and frames have their own classes). */
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
