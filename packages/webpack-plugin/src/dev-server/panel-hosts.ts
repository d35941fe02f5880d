import { isIP } from 'node:net'

/**
 * Whether a `Host` header names this machine in a way that no DNS server of others controls: by `localhost`, an IP
 * address, or a name that the project trusts. A page of another site whose name leads to this machine would otherwise
 * count as a page of the dev server, and could read the panel.
 *
 * @param trusted names, where a leading dot includes subdomains
 */
export function isOwnHost(host: unknown, trusted: readonly string[] = []): boolean {
  if (typeof host !== 'string' || !URL.canParse(`http://${host}`)) return false
  const name = new URL(`http://${host}`).hostname
  if (name === 'localhost' || name.endsWith('.localhost') || isIP(name) !== 0 || /^\[.*\]$/.test(name)) return true
  return trusted.some(
    (each) => name === each.toLowerCase() || (each.startsWith('.') && name.endsWith(each.toLowerCase())),
  )
}
