import { startingLock, type PageStateMessage } from '../../worker/protocol.ts'
import { HeldLock } from '../lifecycle/held-lock.ts'
import type { PageScope } from './gate.ts'

/**
 * Tells the worker that controls the page that mocking will start. Until then the worker keeps requests from elements,
 * which the page's first script cannot hold.
 *
 * @returns a function that reports the end of the start
 */
export function announceStart({ navigator }: PageScope): (() => void) | undefined {
  const controller = findController(navigator)
  if (!controller) return undefined
  const lock = new HeldLock()
  const send = (type: PageStateMessage['type'], ports: MessagePort[] = []): void => {
    controller.postMessage({ type }, ports)
  }
  const { port1, port2 } = new MessageChannel()
  let hasEnded = false
  // The lock tells a worker that was ended and started again that the page is still starting.
  port1.onmessage = ({ data }: MessageEvent<string>) => {
    port1.close()
    if (!hasEnded) lock.hold(startingLock(data))
  }
  send('understudy:starting', [port2])
  return () => {
    if (hasEnded) return
    hasEnded = true
    lock.release()
    send('understudy:started')
  }
}

function findController(navigator: Navigator): ServiceWorker | null | undefined {
  try {
    return (navigator as { serviceWorker?: ServiceWorkerContainer }).serviceWorker?.controller
  } catch {
    // Sandboxed frames have no service workers.
    return undefined
  }
}
