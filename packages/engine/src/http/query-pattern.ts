import { failure } from '../core/failure.ts'
import { describe } from '../core/handlers/check-handlers.ts'
import type { ParamsOf } from '../core/routing/path-params.ts'
import type { MatchedParams } from '../core/routing/path-pattern.ts'

type Literal = string | number | boolean

/**
 * What a key of the query must hold:
 * - `':name'` any value, which becomes a parameter; `':name?'` where it is there; `':name+'` all of them, one or more;
 *   `':name*'` all of them, if any; `':name(\\d+)'` what an expression fits
 * - other text, a number or a boolean: this value, maybe among others. `'\\:a'` is the text `:a`.
 * - a list: each of these values
 * - a RegExp: a value that it finds itself in
 * - `null`: the key must not be there
 */
export type QueryValue = Literal | null | RegExp | readonly Literal[]

/** What the query of a request must hold, by key. Order makes no difference, and other keys may be there. */
export interface QueryPattern {
  readonly [key: string]: QueryValue
}

/** The parameters that a query pattern names. */
export type QueryParamsOf<Query extends QueryPattern> = string extends keyof Query
  ? unknown
  : Together<ParamsOfValue<Query[keyof Query]>>

/** Each parameter's type, as a parameter of a function: what stands there is intersected. */
type ParamsOfValue<Value> = Value extends `:${string}` ? (params: ParamsOf<Value>) => void : never

type Together<Parts> = [Parts] extends [never] ? unknown : [Parts] extends [(all: infer All) => void] ? All : never

/** A query pattern, read once. */
export interface QueryMatcher {
  /** As it is shown to people: `?q=:term&page=2`. */
  readonly text: string
  /** The parameters, or `null` where the query does not match. */
  match(search: URLSearchParams): MatchedParams | null
  /** What differs, for people; nothing where the query matches. */
  explain(search: URLSearchParams): string | undefined
}

interface Condition {
  readonly key: string
  readonly name?: string
  readonly text: string
  /** Takes what it wants of the values into the parameters; `false` where they do not match. */
  readonly take: (values: readonly string[], params: MatchedParams) => boolean
}

/**
 * Reads a query pattern.
 *
 * @param header the handler, as it is named to people
 * @param path the handler's path or predicate, whose parameters have names of their own
 * @throws {UnderstudyError} if the pattern is not valid, a value cannot be read, or a name occurs twice
 */
export function parseQueryPattern(query: unknown, header: string, path: unknown): QueryMatcher {
  if (typeof query !== 'object' || query === null || Object.getPrototypeOf(query) !== Object.prototype) {
    throw failure(
      'US0113',
      `make the handler ${header}`,
      `its option "query" is ${describe(query)}`,
      "Pass what each key must hold: { query: { q: ':term', page: '2' } }.",
    )
  }
  const conditions = Object.entries(query).map(([key, value]) => readCondition(key, value, header))
  checkNames(conditions, header, path)
  const match = (search: URLSearchParams): MatchedParams | null => {
    const params = Object.create(null) as MatchedParams
    return conditions.every(({ key, take }) => take(search.getAll(key), params)) ? params : null
  }
  return {
    text: conditions.length > 0 ? `?${conditions.map(({ text }) => text).join('&')}` : '',
    match,
    explain(search) {
      const failed = conditions.find(({ key, take }) => !take(search.getAll(key), Object.create(null) as MatchedParams))
      if (!failed) return undefined
      const sent = search.getAll(failed.key).map((value) => `\`${failed.key}=${value}\``)
      return `query differs: \`${failed.text}\` expected, ${sent.length > 0 ? sent.join(' and ') : 'nothing'} sent`
    },
  }
}

function readCondition(key: string, value: unknown, header: string): Condition {
  if (value === null) return { key, text: `!${key}`, take: (values) => values.length === 0 }
  if (value instanceof RegExp) {
    // `search` starts at index 0 each time, whatever the flags.
    const expression = value
    return {
      key,
      text: `${key}=${String(value)}`,
      take: (values) => values.some((one) => one.search(expression) !== -1),
    }
  }
  if (Array.isArray(value)) {
    const wrong: unknown = value.find((one) => !isLiteral(one))
    if (wrong !== undefined) {
      throw unreadable(header, key, `a list with ${describe(wrong)}`, 'List text, numbers and booleans.')
    }
    const wanted = value.map(String)
    const text = wanted.map((one) => `${key}=${one}`).join('&')
    return { key, text, take: (values) => wanted.every((one) => values.includes(one)) }
  }
  if (!isLiteral(value)) {
    throw unreadable(header, key, describe(value), 'Use text, a number, a boolean, a list of these, a RegExp or null.')
  }
  const text = String(value)
  if (text.startsWith(':')) return readParameter(key, text, header)
  const wanted = text.replace(/^\\:/, ':')
  return { key, text: `${key}=${wanted}`, take: (values) => values.includes(wanted) }
}

const parameter = /^:([A-Za-z_$][\w$]*)(?:\((.+)\))?([?+*])?$/

function readParameter(key: string, text: string, header: string): Condition {
  const [, name, expression, modifier] = parameter.exec(text) ?? []
  if (name === undefined) {
    throw unreadable(
      header,
      key,
      `${JSON.stringify(text)}, which is not a parameter`,
      `Write ":name", or ${JSON.stringify(`\\${text}`)} for the text itself.`,
    )
  }
  const fits = createTest(expression, header, key)
  const isList = modifier === '+' || modifier === '*'
  const isOptional = modifier === '?' || modifier === '*'
  return {
    key,
    name,
    text: `${key}=${text}`,
    take(values, params) {
      if (values.length === 0) return isOptional
      const found = values.filter(fits)
      if (isList ? found.length < values.length : found.length === 0) return false
      params[name] = isList ? found : (found[0] as string)
      return true
    },
  }
}

function checkNames(conditions: readonly Condition[], header: string, path: unknown): void {
  const known = new Set(typeof path === 'string' ? path.match(/(?<=:)[A-Za-z_$][\w$]*/g) : [])
  for (const { key, name } of conditions) {
    if (name === undefined) continue
    if (known.has(name))
      throw unreadable(header, key, `":${name}", which has that name twice`, 'Rename one of the two.')
    known.add(name)
  }
}

function createTest(expression: string | undefined, header: string, key: string): (value: string) => boolean {
  if (expression === undefined) return () => true
  try {
    const whole = new RegExp(`^(?:${expression})$`)
    return (value) => whole.test(value)
  } catch (cause) {
    throw unreadable(
      header,
      key,
      `the expression (${expression}), which is not valid`,
      'Correct the expression.',
      cause,
    )
  }
}

function isLiteral(value: unknown): value is Literal {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
}

function unreadable(header: string, key: string, what: string, action: string, cause?: unknown): Error {
  return failure(
    'US0114',
    `make the handler ${header}`,
    `its query wants "${key}" to be ${what}`,
    action,
    cause ? { cause } : {},
  )
}

/**
 * The pattern that a query in a path would be, as code: `{ q: ':term' }`.
 *
 * @param search `?q=:term`, maybe with a hash
 */
export function suggestQueryPattern(search: string): string {
  const params = new URLSearchParams(search.replace(/#.*$/, ''))
  const members = Array.from(new Set(params.keys()), (key) => {
    const values = params.getAll(key).map(quote)
    return `${/^[a-z_$][\w$]*$/i.test(key) ? key : quote(key)}: ${values.length === 1 ? values[0] : `[${values.join(', ')}]`}`
  })
  return `{ ${members.join(', ')} }`
}

function quote(text: string): string {
  return `'${text.replace(/[\\']/g, '\\$&')}'`
}
