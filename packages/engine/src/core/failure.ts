/**
 * The one place where the product's errors and console lines take their shape:
 * `Failed to <operation>: <reason>. <What to do.> (<code>)`, prefixed with the product's name on the console.
 */

const prefix = '[understudy]'

/** The code of an error or a warning, `US0104`. `docs/errors` has a page for each; the first two digits name the area. */
export type ErrorCode = `US${number}`

/** An error of Understudy. Identify it by its name, because a page may load several copies of the engine. */
export interface UnderstudyError extends Error {
  /** The code that the message ends with, `'US0104'`. `docs/errors` has a page for it. */
  code: string
}

export interface FailureOptions {
  /** The underlying error. */
  cause?: unknown
}

/** The address of the folder of the codes' pages, with a slash at its end. A build sets it when the project has a home page. */
const pages: string = typeof __UNDERSTUDY_ERROR_PAGES__ === 'string' ? __UNDERSTUDY_ERROR_PAGES__ : ''
declare const __UNDERSTUDY_ERROR_PAGES__: string | undefined

/**
 * Adds a code to a message: at the end of its first line, because further lines are for copying.
 *
 * @example
 * withCode('US0306', 'A synchronous request is not mocked.') // 'A synchronous request is not mocked. (US0306)'
 */
export function withCode(code: ErrorCode, message: string): string {
  return message.replace(/\n|$/, (end) => ` (${code})${pages && ` ${pages}${code}.html`}${end}`)
}

/**
 * An error in the product's words.
 *
 * @param operation what was attempted, as it follows "Failed to": `'start mocking'`
 * @param reason why it did not succeed, without a full stop
 * @param action what the developer can do, a whole sentence
 * @example
 * throw failure('US0101', 'add handlers', 'argument 2 is an array', 'Spread it: worker.use(...handlers).')
 */
export function failure(
  code: ErrorCode,
  operation: string,
  reason: string,
  action: string,
  options: FailureOptions = {},
): UnderstudyError {
  const error = new Error(withCode(code, `Failed to ${operation}: ${reason}. ${action}`))
  if ('cause' in options) error.cause = options.cause
  error.name = 'UnderstudyError'
  return Object.assign(error, { code })
}

/** The console, with the product's prefix. */
export const print = {
  info(message: string, ...details: readonly unknown[]): void {
    console.info(`${prefix} ${message}`, ...details)
  },
  warn(code: ErrorCode, message: string, ...details: readonly unknown[]): void {
    console.warn(`${prefix} ${withCode(code, message)}`, ...details)
  },
  error(code: ErrorCode, message: string, ...details: readonly unknown[]): void {
    print.failure(withCode(code, message), ...details)
  },
  /** A message that has its code. */
  failure(message: string, ...details: readonly unknown[]): void {
    console.error(`${prefix} ${message}`, ...details)
  },
  /** A folded group: one line, with details for the reader who opens it. */
  group(title: readonly string[], lines: readonly (readonly unknown[])[]): void {
    const [head = '', ...styles] = title
    console.groupCollapsed(`${prefix} ${head}`, ...styles)
    for (const line of lines) console.log(...line)
    console.groupEnd()
  },
}
