/**
 * Returns the descriptor of a global. In Cloudflare's `workerd`, `fetch` and others are properties of the global object's
 * prototype. Looking only at the object itself would leave them unmocked.
 */
export function findGlobal(name: 'EventSource' | 'fetch' | 'WebSocket'): PropertyDescriptor | undefined {
  let owner: object | null = globalThis
  while (owner && !Object.hasOwn(owner, name)) owner = Reflect.getPrototypeOf(owner)
  return owner ? Object.getOwnPropertyDescriptor(owner, name) : undefined
}
