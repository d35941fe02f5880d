import type { Row } from '../measure/row.ts'

/** What is repeated, in a process of its own. */
export interface Operation {
  /** Once; what it returns is awaited. */
  readonly run: () => unknown
  /** How often it runs between two looks at the clock. Default: once. */
  readonly batch?: number
}

/** What measures itself, in the unit of its row. */
export interface OwnMeasure {
  readonly measure: () => Promise<number>
}

/** A row that is measured in Node. */
export interface NodeRow extends Row {
  /** Prepares a cell's operation, and sees that it answers as it should. */
  prepare(subject: string, variant: number): Promise<Operation | OwnMeasure>
}

/** Sees that a response is the one that the handler gives. */
export async function expectAnswer(response: Response | undefined, expected: unknown): Promise<void> {
  const found = response?.status === 200 ? JSON.stringify(await response.json()) : String(response?.status)
  if (found === JSON.stringify(expected)) return
  throw new Error(`Failed to verify: the answer is ${found}, not ${JSON.stringify(expected)}. Fix the subject.`)
}

/** What `response.json()` gives, as nothing in particular. */
export function readJson(response: Response): Promise<unknown> {
  return response.json()
}
