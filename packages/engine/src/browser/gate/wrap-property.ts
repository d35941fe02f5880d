/** Replaces a function of the platform. `native` calls the original on the same object, with the same or other arguments. */
export type Call = (self: never, args: never, native: (otherArgs?: readonly unknown[]) => unknown) => unknown

/** Replaces a constructor. `create` calls the original, with the same or other arguments. */
export type Construct = (args: never, create: (otherArgs?: readonly unknown[]) => object, newTarget: Callable) => object

/** The replacements of a property's functions: a method or a constructor, or the getter and setter of an attribute. */
export interface Substitutes {
  call?: Call
  construct?: Construct
  get?: Call
  set?: Call
}

type Callable = (...args: never[]) => unknown

/** The keys of a property descriptor that can hold functions. */
const kinds = ['value', 'get', 'set'] as const

/** A property with wrapped functions. */
export interface WrappedProperty {
  readonly original: PropertyDescriptor
  /** Sets the wrapper. If other code has replaced the property since, wraps that replacement instead. */
  readonly hold: () => void
  /**
   * Replaces the wrapper with `descriptor`. A replacement that other code has set since is restored, unless it calls another
   * function than `descriptor`.
   */
  readonly release: (descriptor: PropertyDescriptor) => void
}

/**
 * Wraps the functions of an object's own property, if it exists. The wrappers are proxies: their name, length and other
 * properties are those of the platform's function.
 */
export function wrapProperty(owner: object, name: string, substitutes: Substitutes): WrappedProperty | undefined {
  const original = Object.getOwnPropertyDescriptor(owner, name)
  if (!original) return undefined
  const wrapped = wrapDescriptor(original, substitutes)
  /** Our descriptor: the current one, or the one below a replacement by other code. */
  let placed = original
  /** Our wrapper around a replacement by other code. */
  let cover: { readonly by: PropertyDescriptor; readonly on: PropertyDescriptor } | undefined

  const define = (next: PropertyDescriptor): boolean => Reflect.defineProperty(owner, name, next)
  const placeOn = (on: PropertyDescriptor, by: PropertyDescriptor): void => {
    if (define(by)) cover = { by, on }
  }
  /** Returns the current descriptor, without our cover. */
  const findTop = (): PropertyDescriptor => {
    const now = Object.getOwnPropertyDescriptor(owner, name) ?? {}
    return cover && isSame(now, cover.by) ? cover.on : now
  }
  const placeIfFree = (top: PropertyDescriptor, next: PropertyDescriptor): boolean => {
    const isFree = isSame(top, placed) || isSame(top, original)
    if (isFree && define(next)) placed = next
    return isFree
  }
  const hold = (): void => {
    const top = findTop()
    // A replacement that was set on top of the wrapper calls the wrapper.
    if (placeIfFree(top, wrapped) || placed === wrapped) return
    placeOn(top, wrapDescriptor(top, substitutes))
  }
  const release = (next: PropertyDescriptor): void => {
    const top = findTop()
    if (placeIfFree(top, next)) return
    if (placed === wrapped || isSame(next, placed)) define(top)
    else placeOn(top, next)
  }
  hold()
  return { original, hold, release }
}

function isSame(one: PropertyDescriptor, other: PropertyDescriptor): boolean {
  return kinds.every((kind) => one[kind] === other[kind])
}

function wrapDescriptor(
  descriptor: PropertyDescriptor,
  { call, construct, get, set }: Substitutes,
): PropertyDescriptor {
  const wrapped = { ...descriptor }
  const wrap = (kind: (typeof kinds)[number], substitute?: Call): void => {
    const native: unknown = descriptor[kind]
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
  return wrapped
}
