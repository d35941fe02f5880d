import { SourceMap, type SourceMapPayload } from 'node:module'

/** A position in a text: line and column from 1. */
export interface TextPosition {
  readonly line: number
  readonly column: number
}

/**
 * A call that creates a handler. Stacks name the position of the object or of the method, depending on the engine. The object
 * begins at the start of a word: otherwise the time for a long word, such as a file in Base64, grows with the square of its
 * length.
 */
const handlerCalls =
  /((?<![\w$])[\w$]+\s*\.\s*)?\b(?:get|post|put|patch|delete|head|options|all|query|mutation|subscription|operation|schema|link|sse)\s*\(/g

/** An import of the engine or of `msw`, as the developer wrote it, or from the optimizer of Vite: `…/@understudy_engine.js?v=1`. */
const engineImport = /["'](?:[^"'\n]*\/)?(?:@understudy[/_](?:engine|msw)|msw)(?:[/_.][^"'\n]*)?["']/

/**
 * An import at the start of a module that ends its line. The names contain no quotation mark, and neither do the comments
 * before it end in the same line, so that every text is read in linear time.
 */
const firstImport =
  /^(?:[ \t]*(?:\/\/[^\n]*)?\n)*import\b[^"'`;().=]*(?:"[^"\n]*"|'[^'\n]*')(?:[ \t]*with[ \t]*\{[^{}\n]*\})?[ \t]*;?[ \t]*(?=\r?\n)/

/** Returns whether a module imports the engine. Only ES modules do: the table needs `import.meta`. */
export function importsEngine(code: string): boolean {
  return /^\s*(?:import|export)\b/m.test(code) && engineImport.test(code)
}

/**
 * Adds a table to a module that says where the developer wrote its handlers. Stacks name positions in the module that
 * the build tool printed, and consoles do not apply source maps to text. The lines of the module stay.
 *
 * The table is behind the first import, at the end of its line, so that all columns stay: the source map is not changed, and
 * errors of the module name the column that the browser reports. In a module without such an import, the table is at the end.
 * If that module may wait (`await`) after it has created a handler, the table is at the start, unless the first line
 * creates a handler.
 *
 * @param code the module as the page gets it
 * @param map its source map
 * @param correct finds the position of a call if the source map is not exact; returns nothing if it does not know
 * @returns nothing if the module creates no handler
 */
export function addWrittenPlaces(
  code: string,
  map: object,
  correct?: (line: number, column: number) => TextPosition | undefined,
): string | undefined {
  const calls = findHandlerCalls(code, map)
  const places = Object.fromEntries(
    calls.flatMap(({ keys, line, column, written }) => {
      const { line: writtenLine, column: writtenColumn } = correct?.(line, column) ?? written
      return keys.map((key) => [key, `${writtenLine}:${writtenColumn}`])
    }),
  )
  if (calls.length === 0) return undefined
  const table = `;(globalThis.__understudyPlaces ??= {})[import.meta.url] = ${JSON.stringify(places)};`
  const [imported] = firstImport.exec(code) ?? []
  if (imported !== undefined) return imported + table + code.slice(imported.length)
  const isAtEnd = !/\bawait\b/.test(code) || calls.some(({ line }) => line === 1)
  return isAtEnd ? `${code}\n${table}\n` : table + code
}

/** A call in a generated file that may create a handler. */
export interface HandlerCall extends TextPosition {
  /** The positions by which stacks may name it: `'7:1'` */
  readonly keys: readonly string[]
  /** Where the developer wrote it, as far as the source map says. The source is as in the map. */
  readonly written: TextPosition & { readonly source: string }
}

/** Finds the calls in a generated file that may create handlers, and that its source map knows. */
export function findHandlerCalls(code: string, map: object): HandlerCall[] {
  const sources = new SourceMap(map as SourceMapPayload)
  return code.split('\n').flatMap((text, index) =>
    [...text.matchAll(handlerCalls)].flatMap(({ index: start, 1: called = '' }): HandlerCall[] => {
      const column = start + called.length
      const entry = sources.findEntry(index, column)
      if (!('originalLine' in entry)) return []
      const written = {
        source: entry.originalSource,
        line: entry.originalLine + 1,
        column: entry.originalColumn + 1,
      }
      const keys = [...new Set([start, column])].map((each) => `${index + 1}:${each + 1}`)
      return [{ keys, line: index + 1, column: column + 1, written }]
    }),
  )
}
