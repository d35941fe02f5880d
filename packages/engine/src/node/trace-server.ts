import type { Network, TakenConnection } from '../core/network/network.ts'
import { isTraceWanted } from '../core/trace/is-trace-wanted.ts'
import type { Step, Trace } from '../core/trace/trace.ts'

/**
 * Prints the decision about each request of this process to the standard error, if the environment variable `DEBUG` names
 * `understudy`.
 *
 * @returns a function that ends this; `undefined` if the trace is off
 */
export function traceServer(network: Network): (() => void) | undefined {
  if (!isTraceWanted(process.env['DEBUG'])) return undefined
  // Requests may start before the code that prints has loaded.
  const loading = loadTrace(network)
  const take = (step: Step): void => {
    const now = performance.now()
    void loading.then((trace) => trace.take(step, now))
  }
  const takeConnection = (connection: TakenConnection): void => {
    void loading.then((trace) => trace.takeConnection(connection))
  }
  const ends = [network.progress.add(take), network.connections.add(takeConnection), network.observe(take)]
  return () => ends.forEach((end) => end())
}

async function loadTrace(network: Network): Promise<Trace> {
  const loaded = await import('../core/trace/trace.ts')
  const print = (line: string): void => void process.stderr.write(`${line}\n`)
  print(`understudy trace is on: DEBUG=${process.env['DEBUG'] ?? ''}. Handlers: ${network.layers.entries().length}.`)
  return new loaded.Trace(network, { print, source: 'in this process' })
}
