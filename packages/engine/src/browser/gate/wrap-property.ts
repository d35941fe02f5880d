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
  /** Puts the wrapper in its place. What others have put there since is wrapped instead. */
  readonly hold: () => void
  /**
   * Ends that: puts something in the wrapper's place. What others have put there since comes back, unless something else
   * is to act now than when they did: they would call what acted then.
   */
  readonly release: (descriptor: PropertyDescriptor) => void
}

/**
 * Wraps the functions of an object's own property, where it has that. The wrappers are proxies: their name,
 * length and whatever is put on them are the platform's function's.
 */
export function wrapProperty(owner: object, name: string, substitutes: Substitutes): WrappedProperty | undefined {
  const original = Object.getOwnPropertyDescriptor(owner, name)
  if (!original) return undefined
  const wrapped = wrapDescriptor(original, substitutes)
  /** Ours. It stands there, or below what others have put there. */
  let placed = original
  /** Ours, on top of what others have put there. */
  let cover: { readonly by: PropertyDescriptor; readonly on: PropertyDescriptor } | undefined

  const place = (next: PropertyDescriptor): boolean => Reflect.defineProperty(owner, name, next)
  const placeOn = (on: PropertyDescriptor, by: PropertyDescriptor): void => {
    if (place(by)) cover = { by, on }
  }
  /** What stands there, but for our cover. */
  const findTop = (): PropertyDescriptor => {
    const now = Object.getOwnPropertyDescriptor(owner, name) ?? {}
    return cover && isSame(now, cover.by) ? cover.on : now
  }
  const placeIfFree = (top: PropertyDescriptor, next: PropertyDescriptor): boolean => {
    const isFree = isSame(top, placed) || isSame(top, original)
    if (isFree && place(next)) placed = next
    return isFree
  }
  const hold = (): void => {
    const top = findTop()
    // What others have put on top of the wrapper calls it.
    if (placeIfFree(top, wrapped) || placed === wrapped) return
    placeOn(top, wrapDescriptor(top, substitutes))
  }
  const release = (next: PropertyDescriptor): void => {
    const top = findTop()
    if (placeIfFree(top, next)) return
    if (placed === wrapped || isSame(next, placed)) place(top)
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
