import type { Cell, Row } from './row.ts'

let chosen: ReadonlySet<string> | undefined

/** Limits the rows that are measured in rounds to some subjects, by their names in any case. */
export function chooseSubjects(names: readonly string[]): void {
  chosen = new Set(names.map((name) => name.trim().toLowerCase()))
}

/** The row with the chosen subjects, and the goals that compare only them. */
export function limitToChosen(row: Row): Row {
  const isChosen = ({ subject }: Cell): boolean => chosen === undefined || chosen.has(subject.toLowerCase())
  const goals = row.goals.filter(
    (goal) => isChosen(goal) && ('limit' in goal || isChosen('atLeast' in goal ? goal.than : goal.of)),
  )
  return { ...row, cells: row.cells.filter(isChosen), goals }
}
