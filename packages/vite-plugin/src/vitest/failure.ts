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

/** The stacks that {@link withStack} set. */
const stacks = new WeakMap<Error, string>()

/**
 * Sets the stack of an error. Vitest shows the line of the first frame. The places in the message, such as that of the
 * nearest handler, follow.
 *
 * @param stack one frame per line; the error is not changed if it is empty
 */
export function withStack(error: Error, stack: string): Error {
  if (stack === '') return error
  const places = error.message.match(/^\s+at .*$/gm) ?? []
  // Vitest shows the source positions of frames. A URL in the message has a position in a generated module.
  error.message = error.message.replaceAll(/^\s+at .*:\/\/.*\n/gm, '')
  // Otherwise, the places in the message would be the first frames.
  const message = error.message.replaceAll(/^(\s+)(at .*)$/gm, '$1($2)')
  error.stack = [`${error.name}: ${message}`, stack, ...places].join('\n')
  stacks.set(error, [stack, ...places.filter((place) => place.includes('://'))].join('\n'))
  return error
}

/** Returns the stack that {@link withStack} set, without the places that the message still has; `''` if there is none. */
export function stackOf(error: Error): string {
  return stacks.get(error) ?? ''
}
