import { CookieJar } from '../cookies/cookie-jar.ts'
import type { Network } from './network.ts'

/**
 * The cookies that mocked responses of a network set. Networks do not create the jar: a page loads its code with the code that
 * decides about requests.
 */
export function cookieJarOf(network: Network): CookieJar {
  return (network.cookies ??= new CookieJar(network.loadPublicSuffixes))
}
