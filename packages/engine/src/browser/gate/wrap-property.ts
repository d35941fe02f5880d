/** Acts in place of a function of the platform. `native` calls that one on the same object, with the same arguments or others. */
export type Call = (self: never, args: never, native: (otherArgs?: readonly unknown[]) => unknown) => unknown

/** Acts in place of a constructor. `create` constructs what was asked for, with the same arguments or others. */
export type Construct = (args: never, create: (otherArgs?: readonly unknown[]) => object, newTarget: Callable) => object

/** What acts in place of a property's functions: a method's or a constructor's, an attribute's. */
export interface Substitutes {
  call?: Call
  construct?: Construct
  get?: Call
  set?: Call
}

type Callable = (...args: never[]) => unknown

/** Where a property has its functions. */
const kinds = ['value', 'get', 'set'] as const

/** A property whose functions are wrapped. */
export interface WrappedProperty {
  readonly original: PropertyDescriptor
  readonly wrapped: PropertyDescriptor
  /** Puts something else in its place, unless somebody has replaced it meanwhile. */
  readonly replaceBy: (descriptor: PropertyDescriptor) => void
}

/**
 * Wraps the functions of an object's own property, where it has that. The wrappers are proxies: their name,
 * length and whatever is put on them are the platform's function's.
 */
export function wrapProperty(
  owner: object,
  name: string,
  { call, construct, get, set }: Substitutes,
): WrappedProperty | undefined {
  const original = Object.getOwnPropertyDescriptor(owner, name)
  if (!original) return undefined

  const wrapped = { ...original }
  const wrap = (kind: (typeof kinds)[number], substitute?: Call): void => {
    const native: unknown = original[kind]
    if (typeof native !== 'function') return
    const handler: ProxyHandler<Callable> = {}
    if (substitute) {
      handler.apply = (target, self, args) =>
        substitute(
          self as never,
          args as never,
          (otherArgs = args) => Reflect.apply(target, self, otherArgs) as unknown,
        )
    }
    if (construct) {
      handler.construct = (target, args, newTarget) =>
        construct(
          args as never,
          (otherArgs = args) => Reflect.construct(target, otherArgs, newTarget) as object,
          newTarget as Callable,
        )
    }
    wrapped[kind] = new Proxy(native as Callable, handler)
  }
  wrap('value', call)
  wrap('get', get)
  wrap('set', set)

  let placed = original
  const replaceBy = (next: PropertyDescriptor): void => {
    const now = Object.getOwnPropertyDescriptor(owner, name)
    const isFree = [placed, original].some((ours) => kinds.every((kind) => now?.[kind] === ours[kind]))
    if (isFree && Reflect.defineProperty(owner, name, next)) placed = next
  }
  replaceBy(wrapped)
  return { original, wrapped, replaceBy }
}
