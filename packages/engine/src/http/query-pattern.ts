import { describe } from '../core/describe.ts'
import { failure } from '../core/failure.ts'
import type { QueryCondition } from '../core/handlers/mismatch.ts'
import type { ParamsOf } from '../core/routing/path-params.ts'
import type { MatchedParams } from '../core/routing/path-pattern.ts'

type Literal = string | number | boolean

/**
 * The values that a key of the query must have: - `':name'`: one value, which becomes a parameter; `':name?'`: an
 * optional value; `':name+'`: all values, one or more; `':name*'`: all values, if any; `':name(\\d+)'`: a value that
 * matches the expression
 * - other text, a number or a boolean: this value, possibly among others. `'\\:a'` is the text `:a`.
 * - a list: each of these values
 * - a RegExp: a value in which the expression is found
 * - `null`: the key must be missing
 */
export type QueryValue = Literal | null | RegExp | readonly Literal[]

/** What the query of a request must contain, by key. The order does not matter, and other keys are allowed. */
export interface QueryPattern {
  readonly [key: string]: QueryValue
}

/** The parameters that a query pattern names. */
export type QueryParamsOf<Query extends QueryPattern> = string extends keyof Query
  ? unknown
  : Together<ParamsOfValue<Query[keyof Query]>>

/** The type of each parameter, as a function's parameter: TypeScript infers the intersection of such types. */
type ParamsOfValue<Value> = Value extends `:${string}` ? (params: ParamsOf<Value>) => void : never

type Together<Parts> = [Parts] extends [never] ? unknown : [Parts] extends [(all: infer All) => void] ? All : never

/** A parsed query pattern. */
export interface QueryMatcher {
  /** The pattern as text for messages: `?q=:term&page=2`. */
  readonly text: string
  /** Returns the parameters, or `null` if the query does not match. */
  match(search: URLSearchParams): MatchedParams | null
  readonly conditions: readonly QueryCondition[]
}

/** A condition whose value may become a parameter of this name. */
interface Condition extends QueryCondition {
  readonly name?: string
}

/**
 * Parses a query pattern.
 *
 * @param header the handler's name in messages
 * @param path the handler's path or predicate, whose parameters must have other names
 * @throws {UnderstudyError} if the pattern is not valid, a value cannot be read, or a name occurs twice
 */
export function parseQueryPattern(query: unknown, header: string, path: unknown): QueryMatcher {
  if (typeof query !== 'object' || query === null || Object.getPrototypeOf(query) !== Object.prototype) {
    throw failure(
      'US0113',
      `create the handler ${header}`,
      `its option "query" is ${describe(query)}`,
      "Pass a condition for each key: { query: { q: ':term', page: '2' } }.",
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
    conditions,
  }
}

function readCondition(key: string, value: unknown, header: string): Condition {
  if (value === null) return { key, text: `!${key}`, take: (values) => values.length === 0 }
  if (value instanceof RegExp) {
    // `search` starts at index 0 each time, with any flags.
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
    if (known.has(name)) throw unreadable(header, key, `":${name}", which occurs twice`, 'Rename one of the two.')
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
    `create the handler ${header}`,
    `its query needs "${key}" to be ${what}`,
    action,
    cause ? { cause } : {},
  )
}

/**
 * Converts a query in a path into the code of a query pattern: `{ q: ':term' }`.
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
