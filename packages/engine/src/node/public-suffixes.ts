import { parse } from 'tldts'

/**
 * Returns whether a domain is on the Public Suffix List, so that different owners can register names below it.
 *
 * @param domain lower case, in ASCII
 * @see https://publicsuffix.org/list/
 */
export function isPublicSuffix(domain: string): boolean {
  const { publicSuffix, isIcann, isPrivate } = parse(domain, { allowPrivateDomains: true, validateHostname: false })
  // By the default rule of the list, a top-level domain that is not in it counts as a suffix.
  return publicSuffix === domain && (isIcann === true || isPrivate === true)
}
