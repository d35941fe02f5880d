/**
 * The one place where the product's errors and console lines take their shape:
 * `Failed to <operation>: <reason>. <What to do.>`, prefixed with the product's name on the console.
 */

const prefix = '[understudy]'

export interface FailureOptions {
  /** The error beneath, kept in `cause`. */
  cause?: unknown
}

/**
 * An error in the product's words.
 *
 * @param operation what was attempted, as it follows "Failed to": `'start mocking'`
 * @param reason why it did not succeed, without a full stop
 * @param mend what the developer can do, a whole sentence
 * @example
 * throw failure('add handlers', 'argument 2 is an array', 'Spread it: worker.use(...handlers).')
 */
export function failure(operation: string, reason: string, mend: string, options: FailureOptions = {}): Error {
  const error = new Error(`Failed to ${operation}: ${reason}. ${mend}`)
  if ('cause' in options) error.cause = options.cause
  error.name = 'UnderstudyError'
  return error
}

/** The console, with the product's prefix. */
export const print = {
  info(message: string, ...details: readonly unknown[]): void {
    console.info(`${prefix} ${message}`, ...details)
  },
  warn(message: string, ...details: readonly unknown[]): void {
    console.warn(`${prefix} ${message}`, ...details)
  },
  error(message: string, ...details: readonly unknown[]): void {
    console.error(`${prefix} ${message}`, ...details)
  },
  /** A folded group: one line, with details for whoever opens it. */
  group(title: readonly string[], lines: readonly (readonly unknown[])[]): void {
    const [head = '', ...styles] = title
    console.groupCollapsed(`${prefix} ${head}`, ...styles)
    for (const line of lines) console.log(...line)
    console.groupEnd()
  },
}
