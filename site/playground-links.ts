import { formatState, type PlaygroundState } from './playground/state.ts'

/** A token of a fenced code block, as in markdown-it. */
interface FenceToken {
  readonly info: string
  readonly content: string
}

/**
 * The part of VitePress's `MarkdownRenderer` that {@link linkPlayground} uses. Tests import this file, and VitePress is
 * installed only for the site.
 */
interface Markdown<Token extends FenceToken, Rest extends unknown[]> {
  readonly renderer: {
    readonly rules: { fence?: ((tokens: Token[], index: number, ...rest: Rest) => string) | undefined }
  }
}

/** Adds a link to the playground below each example that runs there. */
export function linkPlayground<Token extends FenceToken, Rest extends unknown[]>(md: Markdown<Token, Rest>): void {
  const { fence } = md.renderer.rules
  md.renderer.rules.fence = (tokens, index, ...rest) => {
    const html = fence?.(tokens, index, ...rest) ?? ''
    const { info = '', content = '' } = tokens[index] ?? {}
    const state = info.trim() === 'ts' ? toPlaygroundState(content) : undefined
    return state ? `${html}<OpenInPlayground state="${formatState(state)}" />` : html
  }
}

/**
 * Converts an example into a state of the playground: a whole module of handlers that imports only the engine, with a
 * request for its first handler. Returns `undefined` for other examples.
 */
export function toPlaygroundState(code: string): PlaygroundState | undefined {
  const imports = [...code.matchAll(/\bfrom '([^']+)'/g)].map(([, name]) => name)
  const isWhole = imports.length > 0 && imports.every((name) => name === '@understudy/engine')
  // The playground cannot send forms, and there is no real server behind it.
  if (
    !isWhole ||
    code.includes('.formData()') ||
    code.includes('bypass(') ||
    !/^export (?:const handlers\b|default \[)/m.test(code)
  )
    return undefined
  const request = findRequest(code)
  return request && { code, request }
}

function findRequest(code: string): PlaygroundState['request'] | undefined {
  // A handler for everything often only delays or fails, and leaves the response to the next.
  const simple = /\bhttp\.(get|post|put|patch|delete|head|all)(?:<[^(]*>)?\(\s*'([^'*]+)'/.exec(code)
  const query = /\bgraphql\.(query|mutation)(?:<[^(]*>)?\(\s*'([^']+)'/.exec(code)
  const stream = /\bsse(?:<[^(]*>)?\(\s*'([^']+)'/.exec(code)
  const socket = /\bws\.link\(\s*'([^']+)'/.exec(code)
  const first = [simple, query, stream, socket]
    .filter((found) => found !== null)
    .toSorted((a, b) => a.index - b.index)[0]
  const [, name = '', path = ''] = first ?? []
  switch (first) {
    case undefined:
      return undefined
    case simple: {
      const method = name === 'all' ? 'GET' : name.toUpperCase()
      const body = method === 'GET' || method === 'HEAD' || method === 'DELETE' ? '' : '{}'
      return { kind: 'fetch', method, url: fillParameters(path), body }
    }
    case query:
      return { kind: 'graphql', method: 'POST', url: '/graphql', body: `${name} ${path} { __typename }` }
    case stream:
      return { kind: 'event-source', method: 'GET', url: fillParameters(name), body: '' }
    default:
      return { kind: 'websocket', method: 'GET', url: fillParameters(name), body: 'Hello' }
  }
}

/** Returns a URL that a path matches. */
function fillParameters(path: string): string {
  return path
    .replaceAll(/:[A-Za-z_]\w*[?*+]?/g, '1')
    .replace(/^\*(?=\/)/, '')
    .replaceAll('*', 'any')
}
