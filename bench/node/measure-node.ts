import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

import type { MeasuredRow } from '../measure/row.ts'
import { coldImport, measureColdImport } from './measure-import.ts'
import { measureNodeRow } from './measure-node-row.ts'
import { nodeRows } from './node-rows.ts'

/** Measures the rows of Node, one after the other. */
export async function* measureNode(rounds: number, isWanted: (id: string) => boolean): AsyncGenerator<MeasuredRow> {
  const real = fork(join(import.meta.dirname, 'real-server.ts'))
  const [port] = (await once(real, 'message')) as [number]
  const environment = { UNDERSTUDY_BENCH_SERVER: `http://127.0.0.1:${port}` }
  try {
    for (const row of nodeRows) if (isWanted(row.id)) yield await measureNodeRow(row, rounds, environment)
  } finally {
    real.disconnect()
  }
  if (isWanted(coldImport.id)) yield await measureColdImport(rounds)
}
