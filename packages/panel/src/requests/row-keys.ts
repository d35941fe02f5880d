/**
 * Gives rows keys for React. A new row takes the key of a row that left, so that React changes the elements of that row
 * instead of creating new ones. While many requests arrive, all visible rows are new in each update.
 */
export class RowKeys {
  #keys = new Map<string, number>()
  #next = 0

  /**
   * Returns the keys of the rows, in their order. A row that stays keeps its key.
   *
   * @param ids of the rendered rows
   * @param focusedId the row that has the focus. Its key is not reused: the focus would be on another row
   */
  assign(ids: readonly string[], focusedId: string | null): readonly number[] {
    const before = this.#keys
    const stays = new Set(ids)
    const free: number[] = []
    for (const [id, key] of before) if (!stays.has(id) && id !== focusedId) free.push(key)
    // The first of the free keys is that of the topmost row: rows that are replaced at their place are not moved.
    free.reverse()
    this.#keys = new Map(ids.map((id) => [id, before.get(id) ?? free.pop() ?? this.#next++]))
    return [...this.#keys.values()]
  }
}
