interface KeyedHandler {
  readonly id: number
  /** The layer, or what stands for it. */
  readonly layer: string
  readonly header: string
}

/**
 * What identifies handlers in another run of the app, or after an edit: layer and header, and where several are alike,
 * their turn. Ids are only good for one run.
 *
 * @returns keys by ids: `'initial GET /user/:id'`, and `'initial GET /user/:id #2'` for the second of them
 */
export function keysOfHandlers(handlers: readonly KeyedHandler[]): ReadonlyMap<number, string> {
  const counts = new Map<string, number>()
  return new Map(
    handlers.map(({ id, layer, header }) => {
      const key = `${layer} ${header}`
      const count = (counts.get(key) ?? 0) + 1
      counts.set(key, count)
      return [id, count === 1 ? key : `${key} #${count}`]
    }),
  )
}
