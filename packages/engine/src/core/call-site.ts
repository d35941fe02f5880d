import { decodeOrKeep } from './routing/route.ts'

/** A position in the developer's code. */
export interface CallSite {
  /** File path or URL, as the runtime names it. */
  readonly file: string
  /** Line, from 1. */
  readonly line: number
  /** Column, from 1. */
  readonly column: number
}

/** The members that V8 adds to `Error`. Some other engines have them, too. */
const V8Error = Error as ErrorConstructor & {
  stackTraceLimit?: number | undefined
  captureStackTrace?(holder: object, below: unknown): void
}

/** Formats a call site on the first read, because formatting a stack costs far more than keeping it. */
export type CallSiteReader = () => CallSite | undefined

/**
 * Remembers where `below` was called.
 *
 * @param below the public function whose caller is wanted. Frames up to and including this function are left out
 */
export function captureCallSite(below: (...args: never[]) => unknown): CallSiteReader {
  const holder: { stack?: string } = {}
  const { stackTraceLimit } = V8Error
  // Only one frame is read, and a stack of one frame costs a tenth of a stack of ten.
  // An assignment would throw where `Error` is frozen.
  Reflect.set(V8Error, 'stackTraceLimit', 1)
  V8Error.captureStackTrace?.(holder, below)
  Reflect.set(V8Error, 'stackTraceLimit', stackTraceLimit)
  let site: CallSite | undefined
  return () => (site ??= parseFrame(holder.stack))
}

/**
 * For each file, maps `line:column` in the module to the position in the developer's source. Build tools that generate other
 * lines provide this.
 */
interface Places {
  readonly __understudyPlaces?: Readonly<Record<string, Readonly<Record<string, string>>>>
}

/**
 * Formats a call site: `/app/src/handlers.ts:12:3`. Consoles and terminals show this text as a link. The position is the one in
 * the developer's source if the build tool provides it.
 */
export function formatCallSite({ file, line, column }: CallSite): string {
  // The query of a URL. In a path, "#" belongs to the name of a folder.
  const url = file.replace(/\?.*$|(?<=:\/\/.*)#.*$/, '')
  const path = /^file:\/\/\/./.test(url) ? decodeOrKeep(url.replace(/^file:\/\/(?:\/(?=[A-Za-z]:))?/, '')) : url
  const place = `${line}:${column}`
  return `${path}:${(globalThis as Places).__understudyPlaces?.[file]?.[place] ?? place}`
}

/**
 * Calls a function that prints a call site while a module is being evaluated. In a page, calls it after the module, because build
 * tools put the table of positions at its end.
 */
export function printLater(printSite: () => void): void {
  if ('document' in globalThis) queueMicrotask(printSite)
  else printSite()
}

/** Returns the name of a handler with the line where it was written. */
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
  // Names of folders may contain parentheses, so only a parenthesis at the end closes the position.
  return frame.endsWith(')') ? frame.slice(frame.indexOf(' (') + 2, -1) : frame.replace(/^at (?:async )?/, '')
}
