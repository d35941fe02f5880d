import { searchOf } from './path-pattern.ts'

/**
 * Returns a path or URL without its query and hash.
 *
 * @example
 * cleanUrl('/user/:id?tab=1#top') // '/user/:id'
 * cleanUrl('/user/:id?') // '/user/:id?': the parameter is optional
 */
export function cleanUrl(path: string): string {
  return path.slice(0, path.length - searchOf(path).length)
}
