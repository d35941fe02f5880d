/** An example of a page: a fenced block of TypeScript, and its test. */
export interface Example {
  /** The line of the page at which the block's text begins, from 1. */
  readonly line: number
  readonly code: string
  /** `ts` or `tsx`. */
  readonly language: string
  /** The file name in the first line of the block: `// src/mocks/handlers.ts`. Other blocks may import it. */
  readonly file: string | undefined
  /** The code in a `<!-- test … -->` below the block. It runs after the block, and shares its names. */
  readonly test: { readonly line: number; readonly code: string } | undefined
}

export interface Page {
  /** The imports of the page's prelude, on one line. */
  readonly prelude: string
  readonly examples: readonly Example[]
  /** The problems with the page itself: `docs/handlers.md:12: …`. */
  readonly faults: readonly string[]
}

/**
 * Reads the examples of a page of Markdown.
 *
 * - `ts` and `tsx` blocks are examples. So are `diff ts` blocks, with their unchanged and added lines.
 * - `<!-- test` and lines of code and `-->` below an example: it is run, and then this.
 * - `<!-- prelude -->` above an example: the other examples that import nothing begin with it.
 * - `<!-- unchecked: reason -->` above a block: the block is not checked.
 *
 * @param name the name of the page in messages
 */
export function readExamples(markdown: string, name: string): Page {
  const lines = markdown.split('\n')
  const examples: Example[] = []
  const faults: string[] = []
  let prelude = ''

  for (let index = 0; index < lines.length; index += 1) {
    const info = /^```(.*)$/.exec(lines[index] ?? '')?.[1]
    if (info === undefined) {
      if (/^<!-- test\b/.test(lines[index] ?? ''))
        faults.push(`${name}:${index + 1}: a test without an example above it`)
      continue
    }
    const above = textAbove(lines, index)
    const start = index + 1
    const end = lines.indexOf('```', start)
    if (end === -1) {
      faults.push(`${name}:${start}: the block never ends`)
      break
    }
    index = end
    const language = /^(?:diff )?(tsx?)$/.exec(info.trim())?.[1]
    if (language === undefined || above.startsWith('<!-- unchecked: ')) continue

    const text = lines.slice(start, end)
    const code = (info.startsWith('diff') ? text.map(applyDiff) : text).join('\n')
    if (above === '<!-- prelude -->') prelude = code.replaceAll(/\n(?=import\b)/g, '; ').replaceAll('\n', ' ')
    const test = readTest(lines, end + 1)
    if (test) index = test.end
    examples.push({
      line: start + 1,
      code,
      language,
      file: /^\/\/ (\S+\.tsx?)$/.exec(code.split('\n')[0] ?? '')?.[1],
      test,
    })
  }
  return { prelude, examples, faults }
}

/** Returns the nearest line above that is not empty. */
function textAbove(lines: readonly string[], index: number): string {
  return lines.slice(0, index).findLast((line) => line.trim() !== '') ?? ''
}

/** Returns a line of a diff after the change. A removed line becomes an empty line. */
function applyDiff(line: string): string {
  return line.startsWith('-') ? '' : line.slice(1)
}

function readTest(lines: readonly string[], from: number): (Example['test'] & { end: number }) | undefined {
  const start = lines.findIndex((line, index) => index >= from && line.trim() !== '')
  if (lines[start] !== '<!-- test') return undefined
  const end = lines.indexOf('-->', start)
  return { line: start + 2, code: lines.slice(start + 1, end).join('\n'), end }
}
