/** The code that describes unhandled requests. */
type UnhandledReport = typeof import('./unhandled-report.ts')

let known: UnhandledReport | undefined

/**
 * Sets the code. Whatever starts mocking calls it, so that the first bundle of a page does not contain the code. It is not
 * loaded on demand, because a request must not wait for a file.
 */
export function setUnhandledReport(report: UnhandledReport): void {
  known = report
}

/** Returns the code; `undefined` before the start. */
export function getUnhandledReport(): UnhandledReport | undefined {
  return known
}
