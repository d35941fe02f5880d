/**
 * Runs a function in a task of its own, after those that were queued before it: what is dispatched there the app sees
 * as it sees what comes from the network. Not a microtask: an app and a handler that answer each other's every
 * message would let the page do nothing else.
 *
 * Works on what a test library does to timers later too.
 */
export const queueTask: (task: () => void) => void = /* @__PURE__ */ createQueue()

function createQueue(): (task: () => void) => void {
  const { setImmediate, MessageChannel } = globalThis as Globals
  if (setImmediate) return (task) => void setImmediate(task)
  // Jest's jsdom has neither.
  if (!MessageChannel) return (task) => void setTimeout(task)
  // A timer would wait longer and longer in browsers (4 ms from the fifth on).
  const tasks: (() => void)[] = []
  let port: Port | undefined
  const open = (): Port => {
    const { port1, port2 } = new MessageChannel()
    port1.onmessage = () => {
      // In Node (jsdom in Jest has no setImmediate) a port that listens keeps the process alive.
      if (tasks.length === 1) port1.unref?.()
      tasks.shift()?.()
    }
    return { ref: () => port1.ref?.(), post: () => port2.postMessage(null) }
  }
  return (task) => {
    port ??= open()
    port.ref()
    tasks.push(task)
    port.post()
  }
}

interface Port {
  ref(): void
  post(): void
}

/** Not all of them are everywhere. */
interface Globals {
  setImmediate?: (task: () => void) => unknown
  MessageChannel?: new () => { port1: MessagePort & { ref?(): void; unref?(): void }; port2: MessagePort }
}
