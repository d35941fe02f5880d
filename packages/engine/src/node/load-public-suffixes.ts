import type { PublicSuffixLoader } from '../core/cookies/cookie-jar.ts'

/**
 * Loads the list of public suffixes. It is a separate file, because few mocked responses set cookies for a domain, and
 * the list has 130 kB, which every import of the engine would load.
 */
export const loadPublicSuffixes: PublicSuffixLoader = async () => {
  try {
    return (await import('./public-suffixes.ts')).isPublicSuffix
  } catch {
    // If an app was bundled without the file, the other rules still apply.
    return () => false
  }
}
