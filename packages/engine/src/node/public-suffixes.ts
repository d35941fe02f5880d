import { parse } from 'tldts'

/**
 * Whether a domain is on the Public Suffix List: different owners can register names below it.
 *
 * @param domain lower case, in ASCII
 * @see https://publicsuffix.org/list/
 */
export function isPublicSuffix(domain: string): boolean {
  const { publicSuffix, isIcann, isPrivate } = parse(domain, { allowPrivateDomains: true, validateHostname: false })
  // A top-level domain that the list does not name counts as a suffix by the list's own default rule.
  return publicSuffix === domain && (isIcann === true || isPrivate === true)
}
