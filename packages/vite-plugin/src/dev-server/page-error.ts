import type { SourcePlace } from '@understudy/panel/server'

/** An error that occurred in a page, in the form in which the page sends it to the dev server. */
export interface PageError {
  /** The page's number of the error, which the answer repeats. */
  readonly id: number
  readonly message: string
  /** The browser's stack, with the URLs of modules. */
  readonly stack: string
  /**
   * The token of this run of the dev server, which the bootstrap module contains; `undefined` if the client does not
   * have it.
   */
  readonly token: string | undefined
}

/** The maximum length of texts in characters. Longer ones are cut. */
const messageLimit = 20_000
const stackLimit = 20_000
/** The maximum number of lines. Each line with a module is looked up in the module graph. */
const lineLimit = 100
/** The maximum length of a line with a place. Longer lines are passed on unchanged. */
const lineLengthLimit = 2_000

/**
 * Parses the untrusted data of a message.
 *
 * @returns `undefined` for data of another shape
 */
export function readPageError(data: unknown): PageError | undefined {
  if (typeof data !== 'object' || data === null) return undefined
  const { id, message, stack, token } = data as Partial<Record<string, unknown>>
  if (typeof id !== 'number' || typeof message !== 'string' || typeof stack !== 'string') return undefined
  return {
    id,
    message: message.slice(0, messageLimit),
    stack: stack.slice(0, stackLimit).split('\n', lineLimit).join('\n'),
    token: typeof token === 'string' ? token : undefined,
  }
}

/** A place, and its range in the line. */
export interface LinePlace extends SourcePlace {
  readonly start: number
  readonly end: number
}

/**
 * Finds the first `http://host/module.js:line:column` of a stack's line. It takes linear time for any line.
 */
export function findLinePlace(text: string): LinePlace | undefined {
  if (text.length > lineLengthLimit) return undefined
  const start = text.search(/https?:\/\//)
  if (start < 0) return undefined
  const [address = ''] = /^\S+/.exec(text.slice(start)) ?? []
  // The address of a host may contain such numbers: `http://[fd00:1:2::3]:5173/a.ts:4:5`.
  const path = address.indexOf('/', 'https://'.length)
  const found = /:(\d{1,9}):(\d{1,9})(?!\d)/.exec(address.slice(path))
  if (path === -1 || !found) return undefined
  const [position, line, column] = found
  const end = path + found.index
  return {
    file: address.slice(0, end),
    line: Number(line),
    column: Number(column),
    start,
    end: start + end + position.length,
  }
}
