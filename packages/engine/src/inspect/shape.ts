/** Checks whether an untrusted value has a type. */
export type Shape<Value> = (value: unknown) => value is Value

export const isText: Shape<string> = (value) => typeof value === 'string'
export const isNumber: Shape<number> = (value): value is number => typeof value === 'number' && Number.isFinite(value)
export const isBoolean: Shape<boolean> = (value) => typeof value === 'boolean'

export function isOneOf<const Value extends string>(...values: readonly Value[]): Shape<Value> {
  return (value): value is Value => (values as readonly unknown[]).includes(value)
}

export function isOrNull<Value>(shape: Shape<Value>): Shape<Value | null> {
  return (value): value is Value | null => value === null || shape(value)
}

export function isListOf<Value>(shape: Shape<Value>): Shape<readonly Value[]> {
  return (value): value is readonly Value[] => Array.isArray(value) && value.every((item) => shape(item))
}

type Shapes<Value> = { readonly [Key in keyof Value]-?: Shape<Exclude<Value[Key], undefined>> }

/**
 * Checks for an object with these own properties. Other properties are allowed.
 *
 * @param optional the names of properties that may be missing
 */
export function isObjectOf<Value extends object>(
  shapes: Shapes<Value>,
  ...optional: readonly (keyof Value)[]
): Shape<Value> {
  const entries = Object.entries(shapes) as [keyof Value, Shape<unknown>][]
  return (value): value is Value =>
    typeof value === 'object' &&
    value !== null &&
    entries.every(([key, shape]) =>
      Object.hasOwn(value, key) && (value as Value)[key] !== undefined
        ? shape((value as Value)[key])
        : optional.includes(key),
    )
}
