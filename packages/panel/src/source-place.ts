import type { SourcePlace } from './panel-host.ts'

/** A place as people write it: `src/mocks/handlers.ts:12`. */
export function formatPlace({ file, line }: SourcePlace): string {
  return `${toPath(file)}:${line}`
}

/** The last part of the path, which distinguishes files: `mocks/handlers.ts:12`. */
export function formatShortPlace(place: SourcePlace): string {
  return formatPlace(place).split('/').slice(-2).join('/')
}

/** URLs of modules lose what only machines read. */
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
