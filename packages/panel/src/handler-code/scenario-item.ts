import type { HandlerTarget } from '../log/copy-as.ts'
import { exchangesLimit, isExchange, type Exchange } from './exchange.ts'

/** The override of one handler, as the panel's page sends it to the dev server. The page sends no code. */
export interface ScenarioItem {
  /** The last request that the handler answered, with the response that the override forces. */
  readonly exchange: Exchange
  /** `'next'`: the handler only waits, and the next handler answers. */
  readonly answer: 'error' | 'next' | 'response'
  /** In milliseconds. */
  readonly delay: number
}

/** The function that creates the handler of a header, and its arguments. */
export interface HeaderTarget extends HandlerTarget {
  /** The option `query` of the handler. */
  readonly query?: Readonly<Record<string, string>>
}

/** The maximum length of a scenario's name, in characters. */
const nameLimit = 100
/** The maximum delay, in milliseconds. */
const delayLimit = 3_600_000

/** Returns whether a scenario can have this name. The engine has the same rule, because names are in the app's address. */
export function isScenarioName(value: unknown): value is string {
  return typeof value === 'string' && value.length <= nameLimit && /^[^\s,](?:[^,]*[^\s,])?$/.test(value)
}

/** Returns whether the dev server accepts a value as the handlers of a scenario. */
export function isScenarioItems(value: unknown): value is readonly ScenarioItem[] {
  return Array.isArray(value) && value.length > 0 && value.length <= exchangesLimit && value.every(isItem)
}

function isItem(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  const { exchange, answer, delay } = value as Partial<Record<keyof ScenarioItem, unknown>>
  return (
    isExchange(exchange) &&
    (answer === 'error' || answer === 'next' || answer === 'response') &&
    Number.isSafeInteger(delay) &&
    (delay as number) >= (answer === 'next' ? 1 : 0) &&
    (delay as number) <= delayLimit
  )
}

const members: ReadonlyMap<string, string> = new Map([
  ...['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS', 'ALL'].map(
    (method) => [method, method.toLowerCase()] as const,
  ),
  ['SSE', 'get'],
])

/**
 * Returns which handler has a header: `GET /api/users/:id`, `query GetUser`. `null` if the header does not say it, because the
 * handler has a RegExp or a function.
 */
export function readHeader(header: string): HeaderTarget | null {
  const [, kind = '', rest = ''] = /^(\S+) (\S+)$/.exec(header) ?? []
  if (kind === 'query' || kind === 'mutation') {
    return /^[A-Za-z_]\w*$/.test(rest) ? { api: 'graphql', member: kind, target: rest } : null
  }
  const member = members.get(kind)
  // The text of the option `query`. A "?" after a parameter makes the parameter optional.
  const [, path = '', search] = /^(.*?)(?:\?(!.*|[^/?]*=.*))?$/.exec(rest) ?? []
  const query = search === undefined ? undefined : readQuery(search)
  if (member === undefined || query === null || !/^(?:\/|\*|https?:\/\/)/.test(path) || isExpression(path)) return null
  return { api: 'http', member, target: path, ...(query && { query }) }
}

/** Returns whether a path may be the text of a RegExp, such as `/users/i`. */
function isExpression(path: string): boolean {
  return /^\/.+\/i?$/.test(path) || (/^\/.+\/[dgimsuvy]*$/.test(path) && /[\\^$|[\]]/.test(path))
}

/** Returns `null` if the text has other conditions than values and parameters. */
function readQuery(text: string): Record<string, string> | null {
  const parts = text.split('&').map((part) => /^([\w.-]+)=(:?[\w.-]+[?+*]?)$/.exec(part))
  const names = new Set(parts.map((part) => part?.[1]))
  if (parts.includes(null) || names.size < parts.length) return null
  return Object.fromEntries(parts.map((part) => [part?.[1] ?? '', part?.[2] ?? '']))
}
