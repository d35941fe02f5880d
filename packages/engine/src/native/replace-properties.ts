interface Layer {
  /** The properties below. */
  readonly below: PropertyDescriptorMap
  isOver: boolean
}

/** By the first function of each replacement. */
const layers = new WeakMap<object, Layer>()

/**
 * Replaces properties by functions. Several servers replace the same ones, and may end in any order.
 *
 * @returns restores the properties, unless other code has replaced the first one since. It then stays below
 */
export function replaceProperties(target: object, replacements: Readonly<Record<string, object>>): () => void {
  const names = Object.keys(replacements)
  const [first = ''] = names
  const below: PropertyDescriptorMap = {}
  for (const name of names) {
    // React Native creates its globals when they are read.
    void Reflect.get(target, name)
    const native = Object.getOwnPropertyDescriptor(target, name)
    if (native) below[name] = native
    const { enumerable = true } = native ?? {}
    Object.defineProperty(target, name, { value: replacements[name], configurable: true, enumerable, writable: true })
  }
  const layer: Layer = { below, isOver: false }
  layers.set(Reflect.get(target, first) as object, layer)
  return () => {
    layer.isOver = true
    for (;;) {
      const top = layers.get(Reflect.get(target, first) as object)
      if (!top?.isOver) return
      Object.defineProperties(target, top.below)
    }
  }
}
