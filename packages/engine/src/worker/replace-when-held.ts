import { HeldLocks, ownLock } from './held-locks.ts'
import { startingLock, type HoldMessage } from './protocol.ts'
import { holdLimit, replacementDelays } from './time-outs.ts'
import { matchWindows } from './windows.ts'

declare const self: ServiceWorkerGlobalScope

export const isFirefox: boolean = navigator.userAgent.includes('Firefox/')

let isReplacing = false
/** Whether a page has asked for the replacement, and there was no attempt since then. */
let isAskedAgain = false
/** Ends the time between two attempts. */
let tryNow = (): void => {}

/**
 * Replaces the active worker by this one. Firefox does so when the active one has no pending requests, and sends requests
 * to the network that are made in the same milliseconds. So in Firefox, the pages that mock first hold their
 * requests. If they cannot, this worker waits, and tries again later, or when a page asks for it.
 *
 * @param isAsked whether a page that starts asks for it
 */
export async function replaceWhenHeld(isAsked: boolean): Promise<void> {
  if (!isFirefox) return self.skipWaiting()
  isAskedAgain ||= isAsked
  tryNow()
  if (isReplacing) return undefined
  isReplacing = true
  try {
    let attempts = 0
    while (isAskedAgain || attempts < replacementDelays.length) {
      const delay = after(replacementDelays[attempts] ?? 0)
      if (!isAskedAgain) await Promise.race([delay, new Promise<void>((resolve) => (tryNow = resolve))])
      attempts = isAskedAgain ? 1 : attempts + 1
      const isWanted = isAskedAgain
      isAskedAgain = false
      if (await doPagesHold(isWanted)) return await self.skipWaiting()
    }
  } finally {
    isReplacing = false
  }
  return undefined
}

/**
 * Asks the pages that mock to hold their requests.
 *
 * @param isAsked whether a page wants this worker. Otherwise, the navigation to a page may have brought it. Then there must be a
 * page that mocks, which knows whether another one loads: that would stay with the worker that is gone
 * @returns whether all of them do
 */
async function doPagesHold(isAsked: boolean): Promise<boolean> {
  const [clients, locks = []] = await Promise.all([matchWindows(), new HeldLocks().read()])
  const mocking = clients.filter(({ id }) => locks.includes(ownLock(id)))
  if (mocking.length === 0) return isAsked
  // A page that has not ended its start does not answer yet. It asks for the replacement when it has.
  if (mocking.some(({ id }) => locks.includes(startingLock(id)))) return false
  const ports = mocking.map(askToHold)
  const answers = await Promise.all(ports.map((port) => Promise.race([untilAnswered(port), after(holdLimit)])))
  // A page that does not answer is busy, and makes no requests.
  const doHold = answers.every((doesHold) => doesHold !== false)
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
