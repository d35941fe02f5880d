import { limitToChosen } from './chosen-subjects.ts'
import { isNearGoal, judgeRow } from './judge-row.ts'
import type { Cell, MeasuredRow, Row } from './row.ts'

/** A running cell, in its process or browser context. */
export interface RunningCell {
  /** Measures once. Returns the value in the row's unit. */
  measure(): Promise<number>
  stop(): Promise<void>
}

/** A row has at most this many times the usual rounds. */
const longest = 3

/**
 * Measures the cells of a row in interleaved rounds: A B C A B C. Each begins verified and warm. The order turns around with
 * every other round, so that no cell always follows the same cell. A row close to one of its goals gets more rounds.
 *
 * @param start starts a cell and verifies its answer
 */
export async function measureInRounds(
  wanted: Row,
  rounds: number,
  start: (cell: Cell) => Promise<RunningCell>,
): Promise<MeasuredRow> {
  const row = limitToChosen(wanted)
  const running: { cell: Cell; at: RunningCell; values: number[] }[] = []
  const values = (): Map<Cell, number[]> => new Map(running.map((each) => [each.cell, each.values]))
  let last = rounds
  try {
    for (const cell of row.cells) running.push({ cell, at: await start(cell), values: [] })
    // The first round warms up.
    for (let round = 0; round <= last; round += 1) {
      for (const each of round % 2 === 0 ? running : running.toReversed()) {
        const value = await each.at.measure()
        if (round > 0) each.values.push(value)
      }
      if (round === last && last < rounds * longest && isNearGoal(row, values())) last += rounds
    }
  } finally {
    for (const { at } of running) await at.stop()
  }
  return judgeRow(row, values())
}
