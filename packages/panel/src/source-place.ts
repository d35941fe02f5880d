import type { SourcePlace } from './panel-host.ts'

/** Formats a place: `src/mocks/handlers.ts:12`. */
export function formatPlace({ file, line }: SourcePlace): string {
  return `${toPath(file)}:${line}`
}

/** Formats a place with only the last part of its path: `mocks/handlers.ts:12`. */
export function formatShortPlace(place: SourcePlace): string {
  return formatPlace(place).split('/').slice(-2).join('/')
}

/** Removes the origin and the query of a module's URL. */
function toPath(file: string): string {
  const path = file
    .replace(/[?#].*$/, '')
    .replace(/^(?:file:\/\/|webpack-internal:\/\/\/|webpack:\/\/\/?)/, '')
    .replace(/^https?:\/\/[^/]+\//, '')
    .replace(/^@fs\//, '/')
    .replace(/^\.\//, '')
  try {
    return decodeURI(path)
  } catch {
    return path
  }
}
