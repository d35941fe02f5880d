import type { SourcePlace } from './panel-host.ts'

/** Formats a place: `src/mocks/handlers.ts:12`. */
export function formatPlace({ file, line }: SourcePlace): string {
  return `${toPath(file)}:${line}`
}

/** Formats a place with only the last part of its path: `mocks/handlers.ts:12`. */
export function formatShortPlace(place: SourcePlace): string {
  return formatPlace(place).split(/[\\/]/).slice(-2).join('/')
}

/** Removes the origin and the query of a module's URL. A path stays as it is: its folders may contain `#` and `%`. */
function toPath(file: string): string {
  if (!/^[\w-]+:\/\//.test(file)) return file.replace(/^\.\//, '')
  const path = file
    .replace(/[?#].*$/, '')
    .replace(/^(?:file:\/\/|[\w-]+:\/\/[^/]*\/)/, '')
    .replace(/^@fs(?=\/)/, '')
    // The slash before a drive, and a layer of Next.js: `(app-pages-browser)/./src/handlers.ts`.
    .replace(/^\/(?=[A-Za-z]:)|^(?:\([\w-]+\)\/)?\.\//, '')
  try {
    return decodeURI(path)
  } catch {
    return path
  }
}
