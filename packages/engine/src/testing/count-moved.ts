/**
 * Counts the items that `shift()` moves in arrays while a function runs. In long arrays, it moves all items at each call, which takes time
 * in proportion to the square of their number.
 */
export async function countMoved(run: () => Promise<unknown>): Promise<number> {
  const { shift } = Array.prototype
  let moved = 0
  Array.prototype.shift = function (this: unknown[]): unknown {
    moved += this.length
    return Reflect.apply(shift, this, []) as unknown
  }
  try {
    await run()
  } finally {
    Array.prototype.shift = shift
  }
  return moved
}
