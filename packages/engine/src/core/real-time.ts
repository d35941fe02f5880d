/**
 * Time that test libraries do not replace. Fake timers replace `setTimeout`, `Date` and `performance`, before or after
 * a page loads this file, and their clock may stand still. Resolvers use the page's timers, which tests control.
 */

const pending = new Set<AbortSignal>()

/** Runs a function once after a number of milliseconds. In Node, it does not keep the process running. */
export function later(act: () => void, milliseconds: number): void {
  // Missing in jsdom 20, which Jest 29 uses, and in Safari 15.
  if (!('timeout' in AbortSignal)) {
    setTimeout(act, milliseconds)
    return
  }
  const signal = AbortSignal.timeout(milliseconds)
  // Otherwise, the browser may garbage-collect the signal.
  pending.add(signal)
  signal.addEventListener('abort', () => {
    pending.delete(signal)
    act()
  })
}

/** Returns the time of `performance.now()`. */
export function now(): number {
  return new Event('now').timeStamp
}
