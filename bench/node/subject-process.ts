/** The process of one cell: `node subject-process.ts <row> <subject> <variant>`. Measures when told to. */
import type { Operation } from './node-row.ts'
import { nodeRows } from './node-rows.ts'

const [rowId = '', subject = '', variant = ''] = process.argv.slice(2)

const row = nodeRows.find(({ id }) => id === rowId)
if (!row) throw new Error(`Failed to measure: there is no row ${rowId}. Name one of node-rows.ts.`)
const operation = await row.prepare(subject, Number(variant))

process.on('message', (milliseconds: number) => {
  void measure(milliseconds).then((value) => process.send?.(value))
})
process.on('disconnect', () => process.exit())
process.send?.('ready')

/** The value in the row's unit. */
async function measure(milliseconds: number): Promise<number> {
  if ('measure' in operation) return operation.measure()
  const perOperation = await repeat(operation, milliseconds)
  return row?.unit === 'ms' ? perOperation : 1000 / perOperation
}

/** Milliseconds that an operation takes, repeated for so long. */
async function repeat({ run, batch = 1 }: Operation, milliseconds: number): Promise<number> {
  const start = performance.now()
  let count = 0
  let turns = 1
  let elapsed = 0
  while (elapsed < milliseconds) {
    // What takes microseconds is not to be measured by the clock and the wait around it.
    for (let turn = 0; turn < batch; turn += 1) {
      const result = run()
      if (result instanceof Promise) await result
    }
    count += batch
    elapsed = performance.now() - start
    // A program that never comes to the end of a turn keeps all that weak references lead to.
    if (elapsed > turns * 5) {
      turns += 1
      await new Promise((resolve) => {
        setImmediate(resolve)
      })
    }
  }
  return elapsed / count
}
