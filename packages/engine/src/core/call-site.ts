import { decodeOrKeep } from './routing/route.ts'

/** Where in the developer's code something was written. */
export interface CallSite {
  /** File path or URL, as the runtime names it. */
  readonly file: string
  /** Line, from 1. */
  readonly line: number
  /** Column, from 1. */
  readonly column: number
}

/** What V8 adds to `Error`, and other engines have begun to. */
const V8Error = Error as ErrorConstructor & {
  stackTraceLimit?: number | undefined
  captureStackTrace?(holder: object, below: unknown): void
}

/** Formats a call site on the first read, because formatting a stack costs far more than keeping it. */
export type CallSiteReader = () => CallSite | undefined

/**
 * Remembers where `below` was called from.
 *
 * @param below the public function whose caller is wanted; frames up to and including it are left out
 */
export function captureCallSite(below: (...args: never[]) => unknown): CallSiteReader {
  const holder: { stack?: string } = {}
  const { stackTraceLimit } = V8Error
  // One frame is all that is read, and a stack of one is ten times cheaper than a stack of ten.
  V8Error.stackTraceLimit = 1
  V8Error.captureStackTrace?.(holder, below)
  V8Error.stackTraceLimit = stackTraceLimit
  let site: CallSite | undefined
  let isRead = false
  return () => {
    if (!isRead) {
      site = parseFrame(holder.stack)
      isRead = true
    }
    return site
  }
}

/** `/app/src/handlers.ts:12:3`, as consoles and terminals make a link of it. */
export function formatCallSite({ file, line, column }: CallSite): string {
  const path = /^file:\/\/\/./.test(file) ? decodeOrKeep(file.replace(/^file:\/\/(?:\/(?=[A-Za-z]:))?/, '')) : file
  return `${path.replace(/[?#].*$/, '')}:${line}:${column}`
}

/** A handler, with the line where it was written. */
export function nameHandler({ info }: { info: { header: string; callSite: CallSite | undefined } }): string {
  return info.callSite ? `${info.header} (${formatCallSite(info.callSite)})` : info.header
}

function parseFrame(stack: string | undefined): CallSite | undefined {
  for (const text of stack?.split('\n') ?? []) {
    const match = /^(.+):(\d+):(\d+)$/.exec(placeOf(text.trim()))
    if (match) {
      const [, file = '', line, column] = match
      return { file, line: Number(line), column: Number(column) }
    }
  }
  return undefined
}

/** Frames read `at name (file:1:2)` or `at file:1:2` in V8, and `name@file:1:2` in Firefox and Safari. */
function placeOf(frame: string): string {
  if (!frame.startsWith('at ')) return frame.slice(frame.indexOf('@') + 1)
  // Folders may have parentheses in their names: only one at the end closes the place.
  return frame.endsWith(')') ? frame.slice(frame.indexOf(' (') + 2, -1) : frame.replace(/^at (?:async )?/, '')
}
