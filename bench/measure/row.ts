/** A row of the tables: subjects, each with variants such as a number of handlers. */
export interface Row {
  /** The unique name of the row on the command line and in the JSON. */
  readonly id: string
  readonly title: string
  readonly unit: Unit
  /** The meaning of the variants: `'handlers'`. */
  readonly variantsAre?: string
  readonly cells: readonly Cell[]
  readonly goals: readonly Goal[]
  /** The subject that does the least possible work. A goal that it does not reach cannot be reached. */
  readonly floor?: string
  /** An explanation that readers need to understand the figures. */
  readonly note?: string
  /** The reason why a goal is missed, if one is. */
  readonly whyMissed?: string
}

/** For `'/s'`, more is better. For the others, less is better. */
export type Unit = '/s' | 'ms' | 'KiB' | 'packages' | 'MiB'

/** One subject in one variant, measured in a separate process or browser context. */
export interface Cell {
  readonly subject: string
  /** Missing if the row has no variants. */
  readonly variant?: number | string
}

/** A goal for a cell. */
export type Goal = Cell &
  (
    | {
        /** At least this many times as fast or as small as another cell. */ readonly atLeast: number
        readonly than: Cell
      }
    | { /** At most this many times the time of another cell. */ readonly atMost: number; readonly of: Cell }
    | { /** At most this value, in the row's unit. */ readonly limit: number }
  )

/** A cell with the value of each round. */
export interface MeasuredCell extends Cell {
  readonly median: number
  readonly rounds: readonly number[]
}

/** A goal with its result: a factor, or a value if the goal is a limit. */
export interface JudgedGoal {
  readonly text: string
  readonly reached: number
  readonly isMet: boolean
  /** The result of the row's floor, if the goal is missed. */
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
  if (variant === undefined) return subject
  return typeof variant === 'number' ? `${subject} at ${variant}` : `${subject} (${variant})`
}
