import type { CDPSession, Page } from 'playwright'

export type BrowserName = 'Chromium' | 'Firefox' | 'WebKit'

/** A browser engine that runs the acceptance scenarios. */
export interface BrowserDriver<Name extends BrowserName = BrowserName> {
  readonly name: Name
  launch(options?: LaunchOptions): Promise<TestBrowser>
}

export interface LaunchOptions {
  /** Additional host names that resolve to this machine. */
  hosts?: readonly string[]
  /** Lets {@link TestVisit.endWorkers} end service workers. Firefox ends them only by a shorter time-out for idle ones. */
  endsWorkers?: boolean
  /**
   * Which certificates of https servers it accepts besides those of the machine's authorities: the one of the tests, as
   * after `mkcert`, or any, after a warning. Firefox then does not check any. Default: none
   */
  certificates?: 'of the tests' | 'any'
  /** Keeps pages in the back/forward cache, which Playwright switches off. */
  hasBackForwardCache?: boolean
}

export interface TestBrowser {
  /** Creates a profile without workers, caches and cookies. */
  createProfile(): Promise<Profile>
  /** Opens a page in a new profile, which closes with the visit. */
  openVisit(): Promise<TestVisit>
  close(): Promise<void>
}

/** Pages of a profile share workers, caches and cookies. */
export interface Profile {
  openPage(): Promise<TestVisit>
  close(): Promise<void>
}

/** The methods of Playwright's `Page` that every driver implements. */
export interface TestPage extends Pick<Page, 'evaluate'> {
  /** Waits for the event `load`. */
  goto(url: string): Promise<unknown>
  /** Waits for the event `load`. */
  reload(): Promise<unknown>
  waitForFunction(expression: string): Promise<unknown>
  waitForLoadState(state: 'load'): Promise<unknown>
  /** Runs a function or a script in each later document of the page before any script of the document. */
  addInitScript(script: (() => void) | string): Promise<unknown>
  close(): Promise<unknown>
}

/** A page with a record of its console, errors and navigations. */
export interface TestVisit {
  readonly page: TestPage
  readonly profile: Profile
  /** Lines of the console: `'warning: [understudy] …'`. */
  readonly console: string[]
  /**
   * Returns the lines of the consoles of service workers from now on. Pages then report these lines, too. WebDriver does not report
   * them.
   */
  watchWorkerConsole?(): readonly string[]
  /** Messages of uncaught errors. */
  readonly errors: string[]
  /** The URLs that the page itself loaded. */
  readonly navigations: readonly string[]
  /** Clicks in the middle of the element that an expression returns, when it exists and is not covered. */
  click(expression: string): Promise<void>
  /** Reloads the page without caches and without a service worker. */
  hardReload(until: 'load' | 'domcontentloaded'): Promise<void>
  /** Returns the page that an action opens. */
  waitForPopUp(act: () => Promise<unknown>): Promise<TestPage>
  /** Returns the file that an action downloads. */
  waitForDownload(act: () => Promise<unknown>): Promise<[name: string, text: string]>
  /** Ends all running service workers of the page's origin. */
  endWorkers(): Promise<void>
  /** Opens a session of the Chrome DevTools protocol. Only Chromium has one. */
  readonly openDevTools?: () => Promise<CDPSession>
  close(): Promise<void>
}

/** The reason why a scenario that needs {@link TestVisit.openDevTools} runs only in Chromium. */
export const onlyInChromium = 'only the Chrome DevTools protocol does this'

/**
 * Waits until an expression is true on a page, also across navigations. Playwright's own `waitForFunction` evaluates
 * text in the page, which a Content Security Policy may forbid.
 *
 * @throws {Error} if it is not true within 30 s
 */
export async function waitUntil(page: Pick<TestPage, 'evaluate'>, expression: string): Promise<void> {
  const end = performance.now() + 30_000
  while (performance.now() < end) {
    // A navigation ends the evaluation.
    const value = await page.evaluate(`Boolean(${expression})`).catch(() => false)
    if (value === true) return
    // An evaluation takes 3 milliseconds of processor time.
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error(`Failed to wait for ${expression}: it was not true within 30 s.`)
}
