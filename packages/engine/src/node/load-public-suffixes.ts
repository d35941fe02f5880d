import type { PublicSuffixLoader } from '../core/cookies/cookie-jar.ts'

/**
 * Loads the list of public suffixes. It is a file of its own, because few mocked responses set cookies for a domain, and
 * the list has 130 kB, which every import of the engine would read.
 */
export const loadPublicSuffixes: PublicSuffixLoader = async () => {
  try {
    return (await import('./public-suffixes.ts')).isPublicSuffix
  } catch {
    // An app that was bundled without the file keeps the other rules.
    return () => false
  }
}
