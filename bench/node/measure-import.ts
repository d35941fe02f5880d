import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'

import { measureInRounds } from '../measure/rounds.ts'
import type { MeasuredRow, Row } from '../measure/row.ts'
import { msw2, msw3, understudy } from '../subjects/msw-like.ts'

const run = promisify(execFile)

export const coldImport: Row = {
  id: 'node-cold-import',
  title: 'Node: cold import of the Node entry and the handlers entry, without the time to load Response',
  unit: 'ms',
  note: 'In a process that has used `Response` before, because that loads Node’s own `fetch`. “and listen” includes `setupServer(handler).listen()`.',
  cells: ['import', 'import and listen'].flatMap((variant) =>
    [understudy, msw3, msw2].map((subject) => ({ subject, variant })),
  ),
  whyMissed:
    'Half of the time is reading the source. A sixth of the source intercepts sockets, and has to be there before the first connection. A fifth is GraphQL. Without both, the time would still be above the goal, at about 0.28. The rest of the time is opening and evaluating the four files. Short names would save 5%, but stacks and the console would show them.',
  goals: ['import', 'import and listen'].map((variant) => ({
    subject: understudy,
    variant,
    atMost: 0.25,
    of: { subject: msw3, variant },
  })),
}

/** Measures the import, each time in a new process. */
export async function measureColdImport(rounds: number): Promise<MeasuredRow> {
  const script = join(import.meta.dirname, 'import-process.ts')
  return measureInRounds(coldImport, rounds, async ({ subject, variant = '' }) => ({
    async measure() {
      const { stdout } = await run(process.execPath, [script, subject, String(variant)])
      return Number(stdout)
    },
    async stop() {},
  }))
}
