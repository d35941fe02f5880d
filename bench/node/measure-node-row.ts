import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

import { measureInRounds, type RunningCell } from '../measure/rounds.ts'
import { nameCell, type Cell, type MeasuredRow } from '../measure/row.ts'
import type { NodeRow } from './node-row.ts'

/** The time for which a cell is measured in each round, in milliseconds. */
const slice = 250

/**
 * Measures a row, each cell in a separate process.
 *
 * @param environment additional environment variables of the processes
 */
export async function measureNodeRow(
  row: NodeRow,
  rounds: number,
  environment: Record<string, string>,
): Promise<MeasuredRow> {
  return measureInRounds(row, rounds, (cell) => startCell(row.id, cell, environment))
}

async function startCell(rowId: string, cell: Cell, environment: Record<string, string>): Promise<RunningCell> {
  const child = fork(
    join(import.meta.dirname, 'subject-process.ts'),
    [rowId, cell.subject, String(cell.variant ?? '')],
    {
      env: { ...process.env, ...environment },
      execArgv: [...process.execArgv, '--expose-gc'],
    },
  )
  const failed = once(child, 'exit').then(([code]) => {
    throw new Error(
      `Failed to measure ${rowId}, ${nameCell(cell)}: its process ended with ${String(code)}. See its error above.`,
    )
  })
  // After stop(), no code awaits this promise. Without this line, its rejection would end the process.
  failed.catch(() => {})
  await Promise.race([answerOf(child), failed])
  return {
    measure() {
      child.send(slice)
      return Promise.race([answerOf(child), failed]) as Promise<number>
    },
    async stop() {
      child.disconnect()
      await once(child, 'exit')
    },
  }
}

async function answerOf(child: ChildProcess): Promise<unknown> {
  const [answer] = (await once(child, 'message')) as [unknown]
  return answer
}
