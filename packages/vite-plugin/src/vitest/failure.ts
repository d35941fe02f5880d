/**
 * Creates an error with a code. Its stack contains no file, because Vitest would otherwise show lines of our code.
 *
 * @param text the continuation of "Failed to"
 */
export function toFailure(code: string, text: string, options: ErrorOptions = {}): Error {
  return toCodedError(code, `Failed to ${text}`, options)
}

/** Does the same as {@link toFailure} with a message of any form. */
export function toCodedError(code: string, message: string, options: ErrorOptions = {}): Error {
  return withoutStack(
    Object.assign(
      new Error(
        message.replace(/\n|$/, (end) => ` (${code})${end}`),
        options,
      ),
      { name: 'UnderstudyError', code },
    ),
  )
}

export function withoutStack(error: Error): Error {
  error.stack = `${error.name}: ${error.message}`
  return error
}
