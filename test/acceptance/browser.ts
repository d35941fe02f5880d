import {
  chromium,
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  type ConsoleMessage,
  type LaunchOptions,
  type Page,
} from 'playwright'

import { findChromium, findForTest } from '../find-chromium.ts'
import { returnBrowser, takeBrowser, type KeptBrowser } from './kept-browsers.ts'

interface BrowserOptions extends Pick<LaunchOptions, 'ignoreDefaultArgs'> {
  /** Starts the headless shell if there is one. Default: `true` */
  readonly mayBeShell?: boolean
}

/** Starts Chromium without its own network requests, or returns one that an earlier test file has closed. */
export async function launchBrowser(
  args: readonly string[] = [],
  { mayBeShell = true, ...options }: BrowserOptions = {},
): Promise<Browser> {
  const executablePath = mayBeShell ? findForTest() : findChromium()?.path
  const launchOptions: LaunchOptions = {
    ...options,
    ...(executablePath && { executablePath }),
    args: [
      '--no-sandbox',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      ...args,
    ],
  }
  const key = JSON.stringify(launchOptions)
  const kept = await takeBrowser(key, async () => toKept(await chromium.launch(launchOptions)))
  kept.browser.close = () => returnBrowser(key, kept)
  return kept.browser
}

function toKept(browser: Browser): KeptBrowser<Browser> {
  const end = browser.close.bind(browser)
  return {
    browser,
    async reset() {
      for (const context of browser.contexts()) await context.close()
      return browser.isConnected()
    },
    end,
  }
}

/** A page with a record of its console, errors and navigations. */
export interface Visit {
  readonly page: Page
  readonly context: BrowserContext
  /** Lines of the console: `'warning: [understudy] …'`. */
  readonly console: string[]
  /** Uncaught errors. */
  readonly errors: string[]
  /** The URLs that the page itself has loaded. */
  readonly navigations: readonly string[]
  close(): Promise<void>
}

/** Opens a page in a new profile, without workers, caches and cookies. */
export async function openVisit(browser: Browser, options: BrowserContextOptions = {}): Promise<Visit> {
  const context = await browser.newContext(options)
  const visit = await openPage(context)
  return { ...visit, close: () => context.close() }
}

/** Opens a page in an existing profile. */
export async function openPage(context: BrowserContext): Promise<Visit> {
  const page = await context.newPage()
  const lines: string[] = []
  const errors: string[] = []
  const navigations: string[] = []
  page.on('console', (message: ConsoleMessage) => lines.push(`${message.type()}: ${message.text()}`))
  page.on('pageerror', (error) => errors.push(error.message))
  page.on('framenavigated', (frame) => {
    if (frame === page.mainFrame() && frame.url() !== 'about:blank') navigations.push(frame.url())
  })
  return { page, context, console: lines, errors, navigations, close: () => page.close() }
}
