import {
  nameCell,
  type Cell,
  type Goal,
  type JudgedGoal,
  type MeasuredCell,
  type MeasuredRow,
  type Row,
} from './row.ts'
import { median } from './statistics.ts'

/** Returns the figures of a row by cell, and compares them with its goals. */
export function judgeRow(row: Row, rounds: ReadonlyMap<Cell, readonly number[]>): MeasuredRow {
  const cells = toMeasuredCells(row, rounds)
  const { id, title, unit, variantsAre, note, whyMissed } = row
  return {
    id,
    title,
    unit,
    ...(variantsAre !== undefined && { variantsAre }),
    ...(note !== undefined && { note }),
    ...(whyMissed !== undefined && { whyMissed }),
    cells,
    goals: row.goals.map((goal) => withFloor(judgeGoal(goal, row, cells), goal, row, cells)),
  }
}

function toMeasuredCells(row: Row, rounds: ReadonlyMap<Cell, readonly number[]>): MeasuredCell[] {
  return row.cells.map((cell) => {
    const values = rounds.get(cell) ?? []
    return { ...cell, median: median(values), rounds: values }
  })
}

function withFloor(judged: JudgedGoal, goal: Goal, row: Row, cells: readonly MeasuredCell[]): JudgedGoal {
  const floors = cells.filter(({ subject }) => subject === row.floor)
  const floor = floors.find(({ variant }) => variant === goal.variant) ?? floors[0]
  if (judged.isMet || !floor) return judged
  return { ...judged, floor: judgeGoal({ ...goal, ...floor }, row, cells).reached }
}

/** Whether a goal is so close that a few more rounds may decide it. */
export function isNearGoal(row: Row, rounds: ReadonlyMap<Cell, readonly number[]>): boolean {
  const cells = toMeasuredCells(row, rounds)
  return row.goals.some((goal) => {
    const wanted = 'limit' in goal ? goal.limit : 'atLeast' in goal ? goal.atLeast : goal.atMost
    return Math.abs(judgeGoal(goal, row, cells).reached / wanted - 1) < 0.1
  })
}

function judgeGoal(goal: Goal, row: Row, cells: readonly MeasuredCell[]): JudgedGoal {
  const cell = findCell(goal, row, cells)
  if ('limit' in goal) {
    const text = `${nameCell(goal)}: at most ${goal.limit} ${row.unit}`
    return { text, reached: cell.median, isMet: cell.median <= goal.limit }
  }
  if ('atLeast' in goal) {
    const reached = timesBetter(row, cell, findCell(goal.than, row, cells))
    const better = row.unit === '/s' || row.unit === 'ms' ? 'fast' : 'small'
    const text = `${nameCell(goal)}: at least ${goal.atLeast} times as ${better} as ${nameCell(goal.than)}`
    return { text, reached, isMet: reached >= goal.atLeast }
  }
  const reached = 1 / timesBetter(row, cell, findCell(goal.of, row, cells))
  const text = `${nameCell(goal)}: at most ${goal.atMost} times the ${row.unit === 'KiB' ? 'size' : 'time'} of ${nameCell(goal.of)}`
  return { text, reached, isMet: reached <= goal.atMost }
}

/**
 * Returns the median of the ratios of each round, because a disturbance of the machine affects adjacent runs in the
 * same way.
 */
function timesBetter({ unit }: Row, cell: MeasuredCell, other: MeasuredCell): number {
  const ratios = cell.rounds.map((value, round) => {
    const reference = other.rounds[round] ?? other.median
    return unit === '/s' ? value / reference : reference / value
  })
  return median(ratios)
}

function findCell({ subject, variant }: Cell, row: Row, cells: readonly MeasuredCell[]): MeasuredCell {
  const found = cells.find((cell) => cell.subject === subject && cell.variant === variant)
  if (found) return found
  throw new Error(
    `Failed to judge the row ${row.id}: it has no cell "${nameCell({ subject, ...(variant !== undefined && { variant }) })}". Correct the goals of the row.`,
  )
}
