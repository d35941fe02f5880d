interface KeyedHandler {
  readonly id: number
  /** The layer, or its label. */
  readonly layer: string
  readonly header: string
}

/**
 * Returns keys that still identify handlers in another run of the app, or after an edit: layer and header, and a number
 * if several handlers have the same. Ids are valid in only one run.
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
