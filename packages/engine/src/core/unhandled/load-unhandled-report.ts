/** The code that describes unhandled requests. Pages load it with the first such request, because many have none. */
type UnhandledReport = typeof import('./unhandled-report.ts')

let loaded: UnhandledReport | undefined

/**
 * Sets the code, so that nothing is loaded later. Node's entries call it: tests may replace the file system or end before a file is
 * loaded.
 */
export function setUnhandledReport(report: UnhandledReport): void {
  loaded = report
}

/** Returns the code, if it was loaded. */
export function getUnhandledReport(): UnhandledReport | undefined {
  return loaded
}

export async function loadUnhandledReport(): Promise<void> {
  try {
    loaded ??= await import('./unhandled-report.ts')
  } catch {
    // The browser cancels the loading of files when the page unloads. The report is then shorter.
  }
}
