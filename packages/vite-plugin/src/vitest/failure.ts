/**
 * An error in the product's words. Its stack names no file: what Vitest would show of ours is no help.
 *
 * @param text what follows "Failed to"
 */
export function toFailure(text: string, options: ErrorOptions = {}): Error {
  return withoutStack(Object.assign(new Error(`Failed to ${text}`, options), { name: 'UnderstudyError' }))
}

export function withoutStack(error: Error): Error {
  error.stack = `${error.name}: ${error.message}`
  return error
}
