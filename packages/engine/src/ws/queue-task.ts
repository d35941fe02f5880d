import { Queue } from './queue.ts'

type QueueTask = (task: () => void) => unknown

let queue: QueueTask = /* @__PURE__ */ createQueue()

/**
 * Runs a function in a separate task, after the earlier ones, as events of the network run. A microtask is not enough:
 * an app and a handler that answer each other's messages would block the page. It also works if a test library replaces
 * timers later.
 */
export function queueTask(task: () => void): void {
  queue(task)
}

/**
 * Replaces the queue by one that no test library reaches. In Node, the globals can be those of Jest's jsdom, where only
 * timers run tasks. With fake timers, a mocked connection would never open.
 */
export function replaceTaskQueue(replacement: QueueTask): void {
  queue = replacement
}

function createQueue(): QueueTask {
  const { setImmediate, MessageChannel } = globalThis as Globals
  if (setImmediate) return (task) => setImmediate(task)
  // jsdom in Jest has neither of them.
  if (!MessageChannel) return (task) => setTimeout(task)
  // Browsers delay nested timers (by 4 ms from the fifth on).
  const tasks = new Queue<() => void>()
  let port: Port | undefined
  const open = (): Port => {
    const { port1, port2 } = new MessageChannel()
    port1.onmessage = () => {
      // In Node, a listening port keeps the process running. (jsdom in Jest has no `setImmediate`.)
      if (tasks.length === 1) port1.unref?.()
      tasks.take()?.()
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

/** No runtime has all of these globals. */
interface Globals {
  setImmediate?: (task: () => void) => unknown
  MessageChannel?: new () => { port1: MessagePort & { ref?(): void; unref?(): void }; port2: MessagePort }
}
