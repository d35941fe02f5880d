import { toHandlerTarget } from '../log/copy-as.ts'
import type { Exchange } from './exchange.ts'
import { toHandlerCode, type HandlerCode, type HandlersCode } from './handler-code.ts'
import { redactPath, suggestPaths } from './suggest-paths.ts'

/** The choices for the paths of several handlers. */
const asRequested = 'As requested'
const withParameters = 'With parameters'

/** Several handlers that are inserted together, and the choices of their paths. */
export interface JoinedHandlers {
  readonly handler: HandlersCode
  readonly paths: readonly string[]
  readonly path: string
}

/**
 * Creates handlers from exchanges. If several exchanges have the same method and path, the last one is used.
 *
 * @param exchanges the oldest first
 * @param wanted one of the choices of paths; other texts count as `As requested`
 */
export function joinHandlers(exchanges: readonly Exchange[], wanted: string | null): JoinedHandlers {
  const choices = exchanges.map((exchange) => {
    const otherUrls = exchanges.filter(({ method }) => method === exchange.method).map(({ url }) => url)
    const { api, target } = toHandlerTarget(exchange, exchange.pageUrl)
    const plain = api === 'graphql' ? target : redactPath(target)
    return { exchange, plain, suggested: suggestPaths({ ...exchange, otherUrls })[0] }
  })
  const canHaveParameters = choices.some(({ plain, suggested }) => plain !== suggested)
  const hasParameters = canHaveParameters && wanted === withParameters
  const byHeader = new Map<string, HandlerCode[]>()
  for (const { exchange, plain, suggested } of choices) {
    const code = toHandlerCode(exchange, hasParameters ? suggested : plain)
    byHeader.set(code.header, [...(byHeader.get(code.header) ?? []), code])
  }
  const groups = [...byHeader.values()].toSorted((one, other) => rank(one) - rank(other))
  const handlers = groups.flatMap((codes) => codes.slice(-1))
  return {
    handler: {
      names: [...new Set(handlers.flatMap(({ names }) => names))],
      header: `${handlers.length} ${handlers.length === 1 ? 'handler' : 'handlers'}`,
      notes: groups.flatMap(describe),
      write: (style, indentation, local) =>
        handlers.map((handler) => handler.write(style, indentation, local)).join(`,${style.lineBreak}${indentation}`),
    },
    paths: canHaveParameters ? [asRequested, withParameters] : [asRequested],
    path: hasParameters ? withParameters : asRequested,
  }
}

/** A handler with parameters, or for all methods, would answer the requests of others if it came before them. */
function rank([code]: readonly HandlerCode[]): number {
  const { header = '' } = code ?? {}
  return (header.match(/\/:/g)?.length ?? 0) + (header.startsWith('ALL ') ? 1000 : 0)
}

function describe(codes: readonly HandlerCode[]): readonly string[] {
  const last = codes.at(-1)
  if (!last) return []
  return [
    ...(codes.length > 1 ? [`${last.header}: ${codes.length} responses, of which the last one is saved.`] : []),
    ...last.notes.map((note) => `${last.header}: ${note}`),
  ]
}
