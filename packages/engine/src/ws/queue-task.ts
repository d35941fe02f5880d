/**
 * Runs a function in a task of its own, after those that were queued before it: what is dispatched there the app sees
 * as it sees what comes from the network. Not a microtask: an app and a handler that answer each other's every
 * message would let the page do nothing else.
 *
 * Works on what a test library does to timers later too.
 */
export const queueTask: (task: () => void) => void = /* @__PURE__ */ createQueue()

function createQueue(): (task: () => void) => void {
  const { setImmediate } = globalThis as { setImmediate?: (task: () => void) => unknown }
  if (setImmediate) return (task) => void setImmediate(task)
  // A timer would wait longer and longer in browsers (4 ms from the fifth on).
  const tasks: (() => void)[] = []
  const { port1, port2 } = new MessageChannel()
  port1.onmessage = () => tasks.shift()?.()
  return (task) => {
    tasks.push(task)
    port2.postMessage(null)
  }
}
