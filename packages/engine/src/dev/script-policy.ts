import { createHash } from 'node:crypto'

import { withCode } from '../core/failure.ts'

/**
 * How a page can load the gate: as an inline script, or as an external script. `blocked`: the policy allows neither, so
 * the requests of the page's first scripts are not held.
 */
export type GateForm = 'inline' | 'external' | 'blocked'

/** The parts of a page's Content Security Policies that apply to scripts. */
export interface ScriptPolicy {
  /** The first nonce that all policies with nonces allow. */
  readonly nonce: string | undefined
  readonly form: GateForm
}

/**
 * Finds out how a page's policies allow a script of the page's own origin.
 *
 * @param policies the values of `Content-Security-Policy` headers. A policy in a `<meta>` does not apply to scripts
 * before it
 * @param script the script's text
 * @param origin the page's origin. Default: unknown
 * @param nonce the nonce that the page's scripts already get. Default: a nonce of the policies
 * @see https://www.w3.org/TR/CSP3/#script-src-elem-inline and #script-pre-request
 */
export function readScriptPolicy(
  policies: readonly string[],
  script: string,
  origin?: string,
  nonce?: string,
): ScriptPolicy {
  const lists = policies
    .flatMap(splitPolicies)
    .map(findSources)
    .filter((sources) => sources !== undefined)
  const used = nonce ?? findNonce(lists)
  const allows = (isAllowed: (sources: readonly string[]) => boolean): boolean => lists.every(isAllowed)
  const hasNonce = (sources: readonly string[]): boolean => used !== undefined && sources.includes(`'nonce-${used}'`)
  if (allows((sources) => hasNonce(sources) || allowsInline(sources, script))) return { nonce: used, form: 'inline' }
  if (allows((sources) => hasNonce(sources) || allowsOwnOrigin(sources, origin))) {
    return { nonce: used, form: 'external' }
  }
  return { nonce: used, form: 'blocked' }
}

/** Returns the source for `script-src` that allows an inline script. */
export function hashSource(script: string): string {
  return `'sha256-${createHash('sha256').update(script).digest('base64')}'`
}

/** Returns the message for pages whose policies block the gate, in whole sentences. */
export function describeBlockedGate(script: string): string {
  return withCode(
    'US0310',
    'The Content Security Policy of the page blocks the script that holds the first requests: they reach the network ' +
      `unmocked. Add 'self' or ${hashSource(script)} to its directive script-src.`,
  )
}

/**
 * Returns the message of a page that has evaluated the bootstrap module without a gate, because the plugin did not see
 * the policy.
 */
export function describeMissingGate(script: string): string {
  return withCode(
    'US0311',
    'The Content Security Policy of this page blocks the script that holds the first requests: those reached the ' +
      `network unmocked. Add ${hashSource(script)} to its directive script-src, or set the policy in the headers of the ` +
      'development server, where the plugin sees it.',
  )
}

/** One header may hold several policies. */
function splitPolicies(header: string): string[] {
  return header.split(',')
}

/** Returns the sources for script elements; `undefined` if the policy does not restrict them. */
function findSources(policy: string): readonly string[] | undefined {
  const directives = new Map<string, readonly string[]>()
  for (const text of policy.split(';')) {
    const [name, ...sources] = text.trim().split(/\s+/)
    // If a directive occurs twice, the first one counts.
    if (name && !directives.has(name.toLowerCase())) directives.set(name.toLowerCase(), sources)
  }
  return directives.get('script-src-elem') ?? directives.get('script-src') ?? directives.get('default-src')
}

function findNonce(lists: readonly (readonly string[])[]): string | undefined {
  for (const sources of lists) {
    for (const source of sources) {
      const nonce = /^'nonce-([\w+/=-]+)'$/i.exec(source)?.[1]
      if (nonce !== undefined) return nonce
    }
  }
  return undefined
}

function allowsInline(sources: readonly string[], script: string): boolean {
  const isStricter = sources.some((source) => /^'(?:nonce-|sha(?:256|384|512)-|strict-dynamic')/i.test(source))
  if (!isStricter && sources.some((source) => source.toLowerCase() === "'unsafe-inline'")) return true
  return sources.some((source) => {
    const [, algorithm, digest] = /^'(sha256|sha384|sha512)-([\w+/=-]+)'$/i.exec(source) ?? []
    if (algorithm === undefined || digest === undefined) return false
    const own = createHash(algorithm.toLowerCase()).update(script).digest('base64')
    return own === digest.replaceAll('-', '+').replaceAll('_', '/')
  })
}

function allowsOwnOrigin(sources: readonly string[], origin: string | undefined): boolean {
  const lower = sources.map((source) => source.toLowerCase())
  if (lower.includes("'strict-dynamic'")) return false
  if (lower.includes("'self'") || lower.includes('*')) return true
  if (origin === undefined || !URL.canParse(origin)) return false
  const { protocol, hostname, port } = new URL(origin)
  return lower.some((source) => {
    if (source === protocol) return true
    const [, scheme, host = '', ownPort] = /^(?:([a-z][\w+.-]*):\/\/)?([\w*.-]+)(?::(\d+|\*))?\/?$/.exec(source) ?? []
    if (host === '' || (scheme !== undefined && `${scheme}:` !== protocol)) return false
    const isHost = host.startsWith('*.') ? hostname.endsWith(host.slice(1)) : host === hostname
    return isHost && (ownPort === '*' || (ownPort ?? '') === port)
  })
}
