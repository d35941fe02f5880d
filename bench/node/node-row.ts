import type { Row } from '../measure/row.ts'

/** An operation that is repeated in a separate process. */
export interface Operation {
  /** Runs the operation once. Its result is awaited. */
  readonly run: () => unknown
  /** The number of runs between two reads of the clock. Default: 1. */
  readonly batch?: number
}

/** An operation that measures itself, in the unit of its row. */
export interface OwnMeasure {
  readonly measure: () => Promise<number>
}

/** A row that is measured in Node. */
export interface NodeRow extends Row {
  /** Prepares a cell's operation, and verifies its answer. */
  prepare(subject: string, variant: number): Promise<Operation | OwnMeasure>
}

/** Checks that a response is the handler's. */
export async function expectAnswer(response: Response | undefined, expected: unknown): Promise<void> {
  const found = response?.status === 200 ? JSON.stringify(await response.json()) : String(response?.status)
  if (found === JSON.stringify(expected)) return
  throw new Error(`Failed to verify: the answer is ${found}, not ${JSON.stringify(expected)}. Fix the subject.`)
}

/** Returns `response.json()` with the type `unknown`. */
export function readJson(response: Response): Promise<unknown> {
  return response.json()
}
