/**
 * All errors and console lines of Understudy are created here. Their form is `Failed to <operation>: <reason>. <What to
 * do.> (<code>)`, on the console with the prefix below.
 */

const prefix = '[understudy]'

/**
 * The code of an error or a warning: `US0104`. `docs/errors` has a page for each code. The first two digits stand for
 * the area.
 */
export type ErrorCode = `US${number}`

/** An error of Understudy. Identify it by its name, because a page may load several copies of the engine. */
export interface UnderstudyError extends Error {
  /** The code at the end of the message: `'US0104'`. `docs/errors` has a page for it. */
  code: string
}

export interface FailureOptions {
  /** The underlying error. */
  cause?: unknown
}

/**
 * The URL of the folder with the pages of the codes, with a slash at the end. A build sets it when the project has a
 * home page.
 */
const pages: string = typeof __UNDERSTUDY_ERROR_PAGES__ === 'string' ? __UNDERSTUDY_ERROR_PAGES__ : ''
declare const __UNDERSTUDY_ERROR_PAGES__: string | undefined

/**
 * Adds a code at the end of a message's first line. Further lines are code to copy.
 *
 * @example
 * withCode('US0306', 'A synchronous request is not mocked.') // 'A synchronous request is not mocked. (US0306)'
 */
export function withCode(code: ErrorCode, message: string): string {
  return message.replace(/\n|$/, (end) => ` (${code})${pages && ` ${pages}${code}.html`}${end}`)
}

/**
 * Creates an error in Understudy's form.
 *
 * @param operation the failed operation, as the continuation of "Failed to": `'start mocking'`
 * @param reason why it failed, without a full stop
 * @param action what the developer can do, as a whole sentence
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

/** Prints a warning. The gate imports only this function. */
export function printWarning(code: ErrorCode, message: string, ...details: readonly unknown[]): void {
  console.warn(`${prefix} ${withCode(code, message)}`, ...details)
}

/** Prints to the console with the prefix. */
export const print = {
  info(message: string, ...details: readonly unknown[]): void {
    console.info(`${prefix} ${message}`, ...details)
  },
  warn(...args: Parameters<typeof printWarning>): void {
    printWarning(...args)
  },
  error(code: ErrorCode, message: string, ...details: readonly unknown[]): void {
    print.failure(withCode(code, message), ...details)
  },
  /** Prints a message that already contains its code. */
  failure(message: string, ...details: readonly unknown[]): void {
    console.error(`${prefix} ${message}`, ...details)
  },
  /** Prints a collapsed group: one line, with details inside. */
  group(title: readonly string[], lines: readonly (readonly unknown[])[]): void {
    const [head = '', ...styles] = title
    console.groupCollapsed(`${prefix} ${head}`, ...styles)
    for (const line of lines) console.log(...line)
    console.groupEnd()
  },
}
