import { decodeOrKeep } from '../routing/route.ts'
import { trimBlanks } from './parse-set-cookie.ts'

/** Returns the pairs of a `Cookie` header: the name, and the original bytes of the pair. */
export function splitCookies(header: string): (readonly [name: string, pair: string])[] {
  return header
    .split(';')
    .map(trimBlanks)
    .filter((pair) => pair !== '')
    .map((pair) => [trimBlanks(pair.slice(0, Math.max(pair.indexOf('='), 0))), pair] as const)
}

/** Merges the cookies that a request sets itself with those of the jar. Its own cookies replace those of the same name. */
export function mergeCookies(sent: string, carried: string): string {
  if (sent === '' || carried === '') return sent || carried
  const names = new Set(splitCookies(sent).map(([name]) => name))
  const others = splitCookies(carried).filter(([name]) => !names.has(name))
  return [sent, ...others.map(([, pair]) => pair)].join('; ')
}

/**
 * Returns the cookies of a `Cookie` header by name, percent-decoded. If several have the same name, the first one
 * counts.
 */
export function parseCookies(header: string): Record<string, string> {
  const cookies = new Map<string, string>()
  for (const [name, pair] of splitCookies(header)) {
    const equals = pair.indexOf('=')
    if (equals > 0 && !cookies.has(name)) cookies.set(name, decodeOrKeep(trimBlanks(pair.slice(equals + 1))))
  }
  // A plain object, as in MSW: resolvers call its methods. Assignments would set the prototype for a cookie named `__proto__`.
  return Object.fromEntries(cookies)
}
