/** A method of the platform. */
export type Method = (this: XMLHttpRequest, ...args: unknown[]) => unknown

/**
 * Replaces a method of XMLHttpRequest.
 *
 * @param substitute gets a function that calls the previous method, with the same or other arguments
 * @returns a function that restores the previous method, unless other code has replaced ours since
 */
export function patchMethod(
  name: keyof XMLHttpRequest,
  substitute: (native: (otherArgs?: unknown[]) => unknown, xhr: XMLHttpRequest, args: unknown[]) => unknown,
): () => void {
  const { prototype } = XMLHttpRequest
  const before = Reflect.get(prototype, name) as Method
  function patched(this: XMLHttpRequest, ...args: unknown[]): unknown {
    return substitute((given = args) => Reflect.apply(before, this, given), this, args)
  }
  Reflect.set(prototype, name, patched)
  return () => {
    if (Reflect.get(prototype, name) === patched) Reflect.set(prototype, name, before)
  }
}
