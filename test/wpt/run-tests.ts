import { join } from 'node:path'

import { build } from 'esbuild'
import type { Browser, BrowserContext } from 'playwright'

import { constants } from '../../packages/engine/build.ts'
import { launchBrowser } from '../acceptance/browser.ts'
import type { TestPage, TestServer } from './serve-tests.ts'

/**
 * The sender of requests: the browser (`real`), handlers that only send them (`passthrough`, `bypass`), or a minimal
 * service worker (`worker`), which shows the limits of all service workers.
 */
export const modes = ['real', 'passthrough', 'bypass', 'worker'] as const
export type Mode = (typeof modes)[number]

/** The results of a page's subtests, by name: `'PASS'`, or `'FAIL'` and the message. */
export interface PageResults {
  /** The status of the harness: `'OK'`, or the reason why there may be fewer subtests. */
  readonly status: string
  readonly subtests: Readonly<Record<string, string>>
  readonly messages: Readonly<Record<string, string>>
}

interface Report {
  status: string
  message: string | null
  results: [name: string, status: string, message: string | null][]
}

/** Runs pages in several tabs at the same time, each with its own profile. */
export async function runTests(
  server: TestServer,
  mode: Mode,
  pages: readonly TestPage[],
  tabs: number,
): Promise<Map<string, PageResults>> {
  const { plain, secure } = server.origins
  const args = [
    '--host-resolver-rules=MAP nonexistent.*.test ^NOTFOUND, MAP *.test 127.0.0.1, MAP *.test. 127.0.0.1',
    `--unsafely-treat-insecure-origin-as-secure=${plain}`,
    '--ignore-certificate-errors',
    '--autoplay-policy=no-user-gesture-required',
  ]
  // The headless shell ignores the switch that treats an origin as secure, so its pages have no service worker.
  const browser = await launchBrowser(args, { mayBeShell: false })
  const script = await createInitScript(mode)
  const results = new Map<string, PageResults>()
  const queue = [...pages]
  const work = async (): Promise<void> => {
    const tab = await openTab(browser, script)
    if (mode !== 'real') await tab.waitForWorker([plain, secure])
    for (let next = queue.shift(); next; next = queue.shift()) {
      const origin = next.isSecure ? secure : plain
      results.set(next.url, await tab.run(origin + next.url, next.isLong ? 70_000 : 20_000))
      if (results.size % 50 === 0) console.log(`${mode}: ${results.size} of ${pages.length}`)
    }
    await tab.close()
  }
  await Promise.all(Array.from({ length: tabs }, work))
  await browser.close()
  return results
}

/**
 * Creates the script that runs in each page of the tests' origin before its first script, like a plugin's scripts. It
 * does not run in frames.
 */
async function createInitScript(mode: Mode): Promise<string> {
  if (mode === 'real') return ''
  const { outputFiles } = await build({
    entryPoints: [join(import.meta.dirname, 'page.ts')],
    bundle: true,
    format: 'iife',
    write: false,
    define: { ...constants, wptMode: JSON.stringify(mode) },
  })
  const script = mode === 'worker' ? "navigator.serviceWorker.register('/plain-worker.js')" : outputFiles[0]?.text
  return `if (window === top && location.hostname === 'web-platform.test') {\n${script}\n}`
}

interface Tab {
  run(url: string, limit: number): Promise<PageResults>
  /** Waits until a worker controls the pages. Otherwise, the tests would pass without it. */
  waitForWorker(origins: readonly string[]): Promise<void>
  close(): Promise<void>
}

async function openTab(browser: Browser, script: string): Promise<Tab> {
  const context: BrowserContext = await browser.newContext({ ignoreHTTPSErrors: true })
  await context.addInitScript(script)
  let take: ((url: string, report: Report) => void) | undefined
  await context.exposeBinding('reportResults', (_source, url: string, text: string) =>
    take?.(url, JSON.parse(text) as Report),
  )
  // Use one page for all tests, because each new page starts a process.
  let page = await context.newPage()
  return {
    async run(url, limit) {
      if (page.isClosed()) page = await context.newPage()
      const report = await new Promise<Report>((resolve) => {
        const timer = setTimeout(() => resolve({ status: 'NO REPORT', message: null, results: [] }), limit)
        take = (from, taken) => {
          // A page may report after its time-out.
          if (from !== new URL(url).href) return
          clearTimeout(timer)
          resolve(taken)
        }
        page.goto(url, { waitUntil: 'commit' }).catch(() => {})
      })
      take = undefined
      await Promise.all(context.pages().flatMap((each) => (each === page ? [] : [each.close()])))
      await context.clearCookies()
      // Skip a page that does not end or waits for a dialog.
      if (report.status === 'NO REPORT') await page.close()
      return toResults(report)
    },
    async waitForWorker(origins) {
      for (const origin of origins) {
        await page.goto(`${origin}/common/blank.html`)
        await page.waitForFunction('navigator.serviceWorker.controller')
      }
    },
    close: () => context.close(),
  }
}

function toResults({ status, message, results }: Report): PageResults {
  const subtests: Record<string, string> = {}
  const messages: Record<string, string> = message === null ? {} : { '': message }
  for (const [given, result, reason] of results) {
    // The ports of the server differ in each run.
    const name = given.replaceAll(/:\d{4,5}\b/g, ':port')
    subtests[name] = result.toUpperCase()
    if (reason !== null) messages[name] = reason
  }
  return { status, subtests, messages }
}
