/** What a row of the tables measures: some subjects, with some variants (a number of handlers, say) each. */
export interface Row {
  /** Unique; names the row on the command line and in the JSON. */
  readonly id: string
  readonly title: string
  readonly unit: Unit
  /** What the variants are: `'handlers'`. */
  readonly variantsAre?: string
  readonly cells: readonly Cell[]
  readonly goals: readonly Goal[]
  /** The subject that does no more than has to be done: no goal can be reached that it misses. */
  readonly floor?: string
  /** What a reader has to know to read the figures. */
  readonly note?: string
  /** Why a goal is missed, where one is. */
  readonly whyMissed?: string
}

/** Of `'/s'` more is better, of the others less. */
export type Unit = '/s' | 'ms' | 'KiB' | 'packages' | 'MiB'

/** One subject in one variant: what has a process or a browser context of its own. */
export interface Cell {
  readonly subject: string
  /** Default: the row has none. */
  readonly variant?: number | string
}

/** What is to be reached. */
export type Goal = Cell &
  (
    | {
        /** At least so many times as fast, or as small, as another cell. */ readonly atLeast: number
        readonly than: Cell
      }
    | { /** At most so many times the time of another cell. */ readonly atMost: number; readonly of: Cell }
    | { /** At most this, in the row's unit. */ readonly limit: number }
  )

/** A cell with the value that each round gave. */
export interface MeasuredCell extends Cell {
  readonly median: number
  readonly rounds: readonly number[]
}

/** A goal with what was reached: a factor, or a value where the goal is a limit. */
export interface JudgedGoal {
  readonly text: string
  readonly reached: number
  readonly isMet: boolean
  /** What the row's floor reaches, where the goal is missed. */
  readonly floor?: number
}

export interface MeasuredRow {
  readonly id: string
  readonly title: string
  readonly unit: Unit
  readonly variantsAre?: string
  readonly note?: string
  readonly whyMissed?: string
  readonly cells: readonly MeasuredCell[]
  readonly goals: readonly JudgedGoal[]
}

export function nameCell({ subject, variant }: Cell): string {
  return variant === undefined ? subject : `${subject} at ${variant}`
}
