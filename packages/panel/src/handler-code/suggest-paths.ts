import { toHandlerTarget } from '../log/copy-as.ts'
import type { Exchange } from './exchange.ts'
import { redactText } from './redact.ts'

/** A segment that is an identifier: digits, a UUID, or a long word with a digit. */
const identifier = /^(?:\d+|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|(?=[\w-]*\d)[\w-]{16,})$/i

/**
 * Returns paths for the handler of an exchange, the best first: that of the handler that answered, one with a parameter
 * if other URLs differ only in one identifier, and that of the request.
 */
export function suggestPaths(exchange: Exchange): readonly [string, ...string[]] {
  const { method, pageUrl, otherUrls } = exchange
  const own = toHandlerTarget(exchange, pageUrl)
  if (own.api === 'graphql') return [own.target]
  const others = otherUrls.map((url) => toHandlerTarget({ method, url, name: null }, pageUrl).target)
  const parameterized = withParameter(own.target, others)
  const paths = [readOwnPath(exchange, own.target), parameterized && redactPath(parameterized)]
  const known = paths.filter((path) => path !== undefined)
  return [...new Set([...known, redactPath(own.target)])] as [string, ...string[]]
}

/** Replaces segments of a path that contain an e-mail address or a token by parameters. */
export function redactPath(target: string): string {
  let count = 0
  return target
    .split('/')
    .map((segment) => {
      const text = decode(segment)
      if (redactText(text) === text) return segment
      count += 1
      return count === 1 && !target.includes('/:id') ? ':id' : `:id${count}`
    })
    .join('/')
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Returns the path of the handler that answered, if it is plain and matches. */
function readOwnPath({ method, header }: Exchange, target: string): string | undefined {
  const [, of, path] = /^(\S+) (\S+)$/.exec(header ?? '') ?? []
  if (path === undefined || of !== method || !/^(?:https?:\/)?\/[\w/.:~%@-]*$/.test(path)) return undefined
  const segments = path.split('/')
  const wanted = target.split('/')
  const isMatch = segments.every((each, index) => each === wanted[index] || (/^:\w+$/.test(each) && wanted[index]))
  return isMatch && segments.length === wanted.length ? path : undefined
}

function withParameter(target: string, others: readonly string[]): string | undefined {
  const segments = target.split('/')
  for (const other of others) {
    const compared = other.split('/')
    if (compared.length !== segments.length) continue
    const different = [...segments.keys()].filter((index) => segments[index] !== compared[index])
    const [index = -1] = different
    const isIdentifier = [segments[index], compared[index]].every((each) => each && identifier.test(each))
    if (different.length === 1 && isIdentifier) return segments.with(index, ':id').join('/')
  }
  return undefined
}
