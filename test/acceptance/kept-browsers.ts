/**
 * Test files of the second tier share a process, and its browsers: a start of Firefox takes 4 seconds of processor time, a new
 * profile 0.3. Each test opens profiles of its own ([decision 290](../../docs/decisions/0290-test-files-share-processes-and-browsers.md)).
 */

/** A browser that several test files may use, one after the other. */
export interface KeptBrowser<Browser> {
  readonly browser: Browser
  /** Closes the profiles that are still open. Resolves with whether the browser can be used again. */
  reset(): Promise<boolean>
  /** Ends the browser. */
  end(): Promise<void>
}

interface IdleBrowser {
  readonly key: string
  readonly kept: KeptBrowser<unknown>
}

/** The browsers that no test uses. The last one was used last. */
const idle: IdleBrowser[] = []

/** Most files use one of two configurations. Other browsers would only take memory. */
const mostIdle = 2

/** Whether the files of this process share browsers. */
const keepsBrowsers = process.env['UNDERSTUDY_KEEPS_BROWSERS'] === '1'

if (keepsBrowsers) {
  // Vitest ends the process with this signal, and a Vitest that was killed closes the channel. Without listeners, the browsers would not end.
  process.once('SIGTERM', () => process.exit())
  process.once('disconnect', () => process.exit())
}

/**
 * Returns a browser that another test file no longer uses, or starts one.
 *
 * @param key the same for browsers with the same configuration
 */
export async function takeBrowser<Browser>(
  key: string,
  start: () => Promise<KeptBrowser<Browser>>,
): Promise<KeptBrowser<Browser>> {
  const index = idle.findIndex((each) => each.key === key)
  const [found] = index === -1 ? [] : idle.splice(index, 1)
  return found ? (found.kept as KeptBrowser<Browser>) : start()
}

/** Keeps a browser for other test files, or ends it. */
export async function returnBrowser(key: string, kept: KeptBrowser<unknown>): Promise<void> {
  const isUsable = keepsBrowsers && (await kept.reset().catch(() => false))
  if (!isUsable) {
    await kept.end()
    return
  }
  idle.push({ key, kept })
  if (idle.length > mostIdle) await idle.shift()?.kept.end()
}
