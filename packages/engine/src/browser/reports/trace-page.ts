import type { Network } from '../../core/network/network.ts'
import { isTraceWanted } from '../../core/trace/is-trace-wanted.ts'
import { Trace } from '../../core/trace/trace.ts'
import { getGate, getPageState } from '../gate/gate.ts'
import type { LocatingPage } from './locate-printed.ts'

/**
 * Prints the decision about each request of the page, if `localStorage.debug` names `understudy`.
 *
 * @returns a function that ends this; `undefined` if the trace is off
 */
export function tracePage(network: Network): (() => void) | undefined {
  if (!isTraceWanted(localStorage.getItem('debug'))) return undefined
  // The times when the gate held requests, by URL. A time is removed when the network gets the request.
  const held = new Map<string, number[]>()
  const write = (line: string): void => console.log(line)
  const page: LocatingPage = getPageState()
  const print = page.locateLines?.(write) ?? write
  const trace = new Trace(network, {
    print,
    source: 'in the page, without the service worker',
    takeHeld: (url) => held.get(url)?.shift(),
  })
  const gate = getGate()
  if (gate) {
    gate.onRelease = (url, heldAt) => {
      const { href } = new URL(url, document.baseURI)
      const times = held.get(href)
      if (times) times.push(heldAt)
      else held.set(href, [heldAt])
    }
  }
  print(`understudy trace is on: localStorage.debug. Handlers: ${network.layers.entries().length}.`)
  const ends = [
    network.progress.add((step) => trace.take(step)),
    network.connections.add((connection) => trace.takeConnection(connection)),
    network.observe((decision) => trace.take(decision)),
  ]
  return () => {
    for (const end of ends) end()
    if (gate) delete gate.onRelease
  }
}
