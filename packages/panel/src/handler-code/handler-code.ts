import { toBytesExpression } from '../log/bytes-expression.ts'
import { toBodyKind, toHandlerTarget, type HandlerTarget } from '../log/copy-as.ts'
import { markNumbers, writeNumbers } from '../log/exact-numbers.ts'
import { isSecretName } from '../log/secret-names.ts'
import { quoteText, toLiteral, type CodeStyle } from './code-style.ts'
import type { Exchange } from './exchange.ts'
import { listLimit, redactJson, redactText } from './redact.ts'

/** One or several handlers that can be written in the style of a file. */
export interface HandlersCode {
  /** The functions that the code calls. */
  readonly names: readonly string[]
  /** The name for display: the header `GET /api/users/:id`, or `2 handlers`. */
  readonly header: string
  /** Notes about redacted and shortened values, in sentences. */
  readonly notes: readonly string[]
  /**
   * @param indentation the text at the start of the lines after the first
   * @param local returns the local name of an import
   */
  write(style: CodeStyle, indentation: string, local: (name: string) => string): string
}

/** A single handler that can be written in the style of a file. */
export interface HandlerCode extends HandlersCode {
  /** Whether it answers with all data of the response: nothing was redacted or shortened. */
  readonly isWhole: boolean
  /** The expression of the response only, with the same parameters. */
  writeAnswer(style: CodeStyle, indentation: string, local: (name: string) => string): string
  /** The resolver only, with the same parameters. */
  writeResolver(style: CodeStyle, indentation: string, local: (name: string) => string): string
}

/** The default types of `HttpResponse.json()` and similar functions. */
const ownTypes = {
  json: 'application/json',
  html: 'text/html',
  xml: 'text/xml',
  text: 'text/plain',
  arrayBuffer: 'application/octet-stream',
}
const bodilessStatuses = [204, 205, 304]

/**
 * Returns the code of a handler that answers with the response of an exchange, without secrets and long lists.
 *
 * @param target the function that creates the handler. Default: that of the request
 */
export function toHandlerCode(
  exchange: Exchange,
  path: string,
  target: Omit<HandlerTarget, 'target'> = toHandlerTarget(exchange, exchange.pageUrl),
): HandlerCode {
  const { api, member } = target
  const { status } = exchange
  const body = bodilessStatuses.includes(status) ? null : readBody(exchange)
  const { headers, redacted: redactedHeaders } = readHeaders(exchange, body?.kind ?? null)
  const init = {
    ...(status !== 200 && { status }),
    ...(headers.length > 0 && { headers: haveSameNames(headers) ? headers : Object.fromEntries(headers) }),
  }
  const redacted = [...(body?.redacted ?? []), ...redactedHeaders]
  const notes = [
    ...(redacted.length > 0 ? [`Redacted: ${redacted.join(', ')}.`] : []),
    ...(body?.shortened ?? []).map(
      ([list, length]) => `Shortened ${list === '' ? 'the list' : list} to ${listLimit} of ${length} items.`,
    ),
  ]
  const isWhole = notes.length === 0
  const isBinary = body?.kind === 'arrayBuffer'
  const writeAnswer: HandlerCode['writeAnswer'] = (style, indentation, local) => {
    const options = Object.keys(init).length > 0 ? `, ${toLiteral(init, style, indentation)}` : ''
    const response = local('HttpResponse')
    return body
      ? `${response}.${body.kind}(${isBinary ? toBytesExpression(quoteText(String(body.value), style.quote)) : toLiteral(body.value, style, indentation)}${options})`
      : `new ${response}(null${options})`
  }
  const writeResolver: HandlerCode['writeResolver'] = (...given) => `() => ${writeAnswer(...given)}`
  return {
    names: [api, 'HttpResponse'],
    header: `${api === 'http' ? member.toUpperCase() : member} ${path}`,
    notes: isBinary ? [...notes, 'The body is binary. Secrets in it are not found.'] : notes,
    isWhole,
    write: (style, indentation, local) =>
      `${local(api)}.${member}(${quoteText(path, style.quote)}, ${writeResolver(style, indentation, local)})`,
    writeAnswer,
    writeResolver,
  }
}

interface Body {
  readonly kind: keyof typeof ownTypes
  /** Of bytes: their Base64. */
  readonly value: unknown
  readonly redacted: readonly string[]
  readonly shortened: readonly (readonly [path: string, length: number])[]
}

function readBody({ type, text, base64 = null }: Exchange): Body | null {
  if (base64 !== null) return { kind: 'arrayBuffer', value: base64, redacted: [], shortened: [] }
  if (text === null || text === '') return null
  const kind = toBodyKind(type)
  if (kind === 'json') {
    try {
      const given = text.replace(/^\uFEFF/, '')
      const marked = markNumbers(given)
      const isExact = marked === given
      const json = redactJson(JSON.parse(marked))
      const redacted = json.redacted.map((path) => path || 'the body')
      // A literal in the code would be another number.
      return isExact
        ? { ...json, kind, redacted }
        : { ...json, kind: 'text', value: writeNumbers(json.value), redacted }
    } catch {
      // The body is not valid JSON, so answer with text.
    }
  }
  const value = redactText(text)
  const redacted = value === text ? [] : ['parts of the body']
  return { kind: kind === 'json' ? 'text' : kind, value, redacted, shortened: [] }
}

/** Returns whether a header occurs twice, such as `Set-Cookie`. An object could contain only one of them. */
function haveSameNames(headers: readonly (readonly [name: string, value: string])[]): boolean {
  return new Set(headers.map(([name]) => name.toLowerCase())).size < headers.length
}

/** Headers that the response's function does not set. */
function readHeaders({ headers, type }: Exchange, kind: Body['kind'] | null) {
  const own = headers.filter(([name]) => name.toLowerCase() !== 'content-type')
  const redacted: string[] = []
  const written = own.map(([name, value]): [string, string] => {
    const kept = isSecretName(name) ? 'redacted' : redactText(value)
    if (kept !== value) redacted.push(`the header ${name}`)
    return [name, kept]
  })
  const media = type.split(';', 1)[0]?.trim() ?? ''
  const needsType = kind !== null && media !== '' && media !== ownTypes[kind]
  return { headers: needsType ? [['Content-Type', type] as [string, string], ...written] : written, redacted }
}
