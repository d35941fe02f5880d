import type { Cell } from './row.ts'

/** A running cell, in its process or browser context. */
export interface RunningCell {
  /** Measures once. Returns the value in the row's unit. */
  measure(): Promise<number>
  stop(): Promise<void>
}

/**
 * Measures cells in interleaved rounds: A B C A B C. Each cell is verified and warmed up first. Every other round has
 * the reverse order, so that no cell always follows the same cell.
 *
 * @param start starts a cell and verifies its answer
 */
export async function measureInRounds(
  cells: readonly Cell[],
  rounds: number,
  start: (cell: Cell) => Promise<RunningCell>,
): Promise<Map<Cell, number[]>> {
  const running: { cell: Cell; at: RunningCell; values: number[] }[] = []
  try {
    for (const cell of cells) running.push({ cell, at: await start(cell), values: [] })
    // The first round warms up.
    for (let round = 0; round <= rounds; round += 1) {
      for (const { at, values } of round % 2 === 0 ? running : running.toReversed()) {
        const value = await at.measure()
        if (round > 0) values.push(value)
      }
    }
  } finally {
    for (const { at } of running) await at.stop()
  }
  return new Map(running.map(({ cell, values }) => [cell, values]))
}
