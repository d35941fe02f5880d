import { HeldLocks } from './held-locks.ts'
import { mockingLock, startingLock, type HoldMessage } from './protocol.ts'
import { holdLimit, replacementDelays } from './time-outs.ts'
import { matchWindows } from './windows.ts'

declare const self: ServiceWorkerGlobalScope

let isReplacing = false
/** Ends the time between two attempts. */
let tryNow = (): void => {}

/**
 * Replaces the active worker by this one. Firefox does so when the active one has no pending requests, and sends requests
 * to the network that are made in the same milliseconds. So in Firefox, the pages that mock first hold their
 * requests. If they cannot, this worker waits, and tries again later, or when another page asks for it.
 */
export async function replaceWhenHeld(): Promise<void> {
  if (!navigator.userAgent.includes('Firefox/')) return self.skipWaiting()
  tryNow()
  if (isReplacing) return undefined
  isReplacing = true
  for (const delay of replacementDelays) {
    if (await doPagesHold()) {
      await self.skipWaiting()
      break
    }
    await Promise.race([after(delay), new Promise<void>((resolve) => (tryNow = resolve))])
  }
  isReplacing = false
  return undefined
}

/**
 * Asks the pages that mock to hold their requests. Returns whether all of them do, and there is a page that mocks or
 * starts. Otherwise, the navigation to a page may have brought this worker, and a page that loads would stay with the other one.
 */
async function doPagesHold(): Promise<boolean> {
  const [clients, locks = []] = await Promise.all([matchWindows(), new HeldLocks().read()])
  const mocking = clients.filter(({ id }) => locks.includes(mockingLock(id)))
  const ports = mocking.map(askToHold)
  const answers = await Promise.all(ports.map((port) => Promise.race([untilAnswered(port), after(holdLimit)])))
  const isKnown = mocking.length > 0 || clients.some(({ id }) => locks.includes(startingLock(id)))
  // A page that does not answer is busy, and makes no requests.
  const doHold = isKnown && answers.every((doesHold) => doesHold !== false)
  if (!doHold) for (const port of ports) port.postMessage('release')
  return doHold
}

/** Returns the port on which the page answers. */
function askToHold(client: Client): MessagePort {
  const { port1, port2 } = new MessageChannel()
  client.postMessage({ type: 'understudy:hold' } satisfies HoldMessage, [port2])
  return port1
}

function untilAnswered(port: MessagePort): Promise<boolean> {
  return new Promise((resolve) => {
    port.onmessage = ({ data }: MessageEvent<unknown>) => resolve(data === true)
  })
}

function after(delay: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, delay)
  })
}
