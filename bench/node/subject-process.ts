/** The process of one cell: `node subject-process.ts <row> <subject> <variant>`. It measures when it gets a message. */
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

/** Returns the value in the row's unit. */
async function measure(milliseconds: number): Promise<number> {
  if ('measure' in operation) return operation.measure()
  const perOperation = await repeat(operation, milliseconds)
  return row?.unit === 'ms' ? perOperation : 1000 / perOperation
}

/** Returns the duration of an operation in milliseconds. Repeats it for a time. */
async function repeat({ run, batch = 1 }: Operation, milliseconds: number): Promise<number> {
  const start = performance.now()
  let count = 0
  let turns = 1
  let elapsed = 0
  while (elapsed < milliseconds) {
    // The clock and the `await` would distort the measurement of microseconds, so run a batch between two reads.
    for (let turn = 0; turn < batch; turn += 1) {
      const result = run()
      if (result instanceof Promise) await result
    }
    count += batch
    elapsed = performance.now() - start
    // End the turn of the event loop: until then, targets of weak references are not collected.
    if (elapsed > turns * 5) {
      turns += 1
      await new Promise((resolve) => {
        setImmediate(resolve)
      })
    }
  }
  return elapsed / count
}
