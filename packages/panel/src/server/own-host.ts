import { isIP } from 'node:net'

/**
 * Returns whether a `Host` header is safe from DNS rebinding: `localhost`, an IP address, or a name that the project
 * trusts. Otherwise, a page of another site whose name resolves to this machine would count as a page of the dev
 * server, and could read the panel.
 *
 * @param trusted names, where a leading dot includes subdomains. At the beginning, `*.` stands for one subdomain, and `**.`
 *   for one or several, as in the option `allowedDevOrigins` of Next.js
 */
export function isOwnHost(host: unknown, trusted: readonly string[] = []): boolean {
  if (typeof host !== 'string' || !URL.canParse(`http://${host}`)) return false
  const name = new URL(`http://${host}`).hostname
  if (name === 'localhost' || name.endsWith('.localhost') || isIP(name) !== 0 || /^\[.*\]$/.test(name)) return true
  return trusted.some((each) => isNamed(name, each.toLowerCase()))
}

function isNamed(name: string, trusted: string): boolean {
  const [, wildcard, domain = ''] = /^(\*{0,2})(\..+)$/.exec(trusted) ?? []
  if (wildcard === undefined) return name === trusted
  const subdomain = name.slice(0, -domain.length)
  return name.endsWith(domain) && subdomain !== '' && (wildcard !== '*' || !subdomain.includes('.'))
}
