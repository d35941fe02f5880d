import type { SourcePlace } from '@understudy/panel/server'

/** An error that only a page knows of, as it sends it to the dev server. */
export interface PageError {
  /** The page's number of it, which the answer carries. */
  readonly id: number
  readonly message: string
  /** As the browser has it: with the addresses of modules. */
  readonly stack: string
  /** What the bootstrap module holds in this run of the dev server; nothing if the client does not know it. */
  readonly token: string | undefined
}

/** Longest texts that are read, in characters. What is longer is cut: people read the beginning. */
const messageLimit = 20_000
const stackLimit = 20_000
/** Each line that names a module is looked up in the module graph. */
const lineLimit = 100
/** A line of a stack that names a place is not longer; what is longer is passed on as it is. */
const lineLengthLimit = 2_000

/**
 * Reads the data of a message that any client may have sent.
 *
 * @returns nothing for data of another shape
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

/** A place, and which part of a line names it. */
export interface LinePlace extends SourcePlace {
  readonly start: number
  readonly end: number
}

/**
 * Finds the first `http://host/module.js:line:column` of a stack's line. The time that it takes grows with the length of
 * the line, whatever the line holds.
 */
export function findLinePlace(text: string): LinePlace | undefined {
  if (text.length > lineLengthLimit) return undefined
  const start = text.search(/https?:\/\//)
  if (start < 0) return undefined
  const [address = ''] = /^\S+/.exec(text.slice(start)) ?? []
  const found = /:(\d{1,9}):(\d{1,9})(?!\d)/.exec(address)
  if (!found) return undefined
  const [position, line, column] = found
  return {
    file: address.slice(0, found.index),
    line: Number(line),
    column: Number(column),
    start,
    end: start + found.index + position.length,
  }
}
