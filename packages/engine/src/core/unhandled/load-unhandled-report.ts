/** The code that describes unhandled requests. */
type UnhandledReport = typeof import('./unhandled-report.ts')

let loaded: UnhandledReport | undefined
let load: (() => Promise<UnhandledReport>) | undefined

/**
 * Sets the code. Node's entries call it, so that nothing is loaded later: tests may replace the file system or end before a file is
 * loaded.
 */
export function setUnhandledReport(report: UnhandledReport): void {
  loaded = report
}

/** Sets what loads the code. Pages load it with the first unhandled request, because many have none. */
export function setUnhandledReportLoader(loader: () => Promise<UnhandledReport>): void {
  load = loader
}

/** Returns the code, if it was loaded. */
export function getUnhandledReport(): UnhandledReport | undefined {
  return loaded
}

/** Loads the code if there is a loader. Never rejects. */
export async function loadUnhandledReport(): Promise<void> {
  try {
    loaded ??= await load?.()
  } catch {
    // The browser cancels the loading of files when the page unloads. The report is then shorter.
  }
}
