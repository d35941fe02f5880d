import type { SourcePlace } from '../panel-host.ts'

/** A line of a stack trace. */
export interface StackFrame {
  /** The function's name; `null` for an anonymous one. */
  readonly name: string | null
  readonly place: SourcePlace
  /** Whether the frame is part of Understudy and not of the app. */
  readonly isEngine: boolean
}

/**
 * Chromium: `at name (file:1:2)`, `at file:1:2` or `at async file:1:2`. Firefox and WebKit: `name@file:1:2`. Folders may contain
 * spaces, parentheses and `@`, so only a parenthesis at the end closes the place. The place of code of `eval()` is that of the call:
 * `at eval (eval at name (file:1:2), <anonymous>:3:4)`.
 */
const framePatterns = [
  /^\s*at (?:async )?(?:(.+?) \()?(?:eval at [^(]+ \()+(\S.*?):(\d+):(\d+)\)+, <anonymous>:\d+:\d+\)?$/,
  /^\s*at (?:async )?(.+?) \((\S.*):(\d+):(\d+)\)$/,
  /^\s*at (?:async )?()(\S.*):(\d+):(\d+)$/,
  /^(.*?)@(.+):(\d+):(\d+)$/,
]

/** The paths of Understudy's packages: installed, prebundled by Vite, or in a workspace. */
const enginePattern = /@understudy[/_]|\/understudy\/|__understudy|packages\/engine\/(?:src|dist)\//

/**
 * The engine's function that calls resolvers. Its callers belong to the engine, too, in any file that a build tool
 * generates.
 */
const caller = 'runResolver'

/** The maximum length of a frame. The time for a line can grow with the square of its length, and messages can be long. */
const lineLimit = 1000

/** Reads the frames of a stack trace. Lines that are not frames, such as the message, are left out. */
export function parseStack(stack: string): readonly StackFrame[] {
  let isBelowResolver = false
  return stack.split('\n').flatMap((line): StackFrame[] => {
    if (line.length > lineLimit || !/:\d+:\d+\)?$/.test(line)) return []
    for (const pattern of framePatterns) {
      const [, name, file, row, column] = pattern.exec(line) ?? []
      if (file === undefined) continue
      isBelowResolver ||= name?.split('.').at(-1) === caller
      const place = { file, line: Number(row), column: Number(column) }
      return [{ name: name || null, place, isEngine: isBelowResolver || enginePattern.test(file) }]
    }
    return []
  })
}
