import { X509Certificate, createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'

import type { BrowserContext, CDPSession, Worker } from 'playwright'

import { certificate } from '../certificate.ts'
import { launchBrowser, openPage } from './browser.ts'
import { waitUntil, type BrowserDriver, type Profile, type TestVisit } from './test-browser.ts'

/** Makes the browser trust the certificate of the tests, as a developer's machine trusts mkcert's. */
const spki = new X509Certificate(certificate.cert).publicKey.export({ type: 'spki', format: 'der' })
const trusting = `--ignore-certificate-errors-spki-list=${createHash('sha256').update(spki).digest('base64')}`

/** Chromium, controlled by Playwright. */
export const chromium: BrowserDriver<'Chromium'> = {
  name: 'Chromium',
  async launch({ hosts = [], hasBackForwardCache = false, certificates } = {}) {
    const rules = hosts.map((host) => `--host-resolver-rules=MAP ${host} 127.0.0.1`)
    const browser = await launchBrowser(
      [...rules, ...(certificates === 'of the tests' ? [trusting] : [])],
      // The headless shell has no back/forward cache.
      hasBackForwardCache ? { mayBeShell: false, ignoreDefaultArgs: ['--disable-back-forward-cache'] } : {},
    )
    const createProfile = async (): Promise<Profile> =>
      toProfile(await browser.newContext({ ignoreHTTPSErrors: certificates === 'any' }))
    return {
      createProfile,
      async openVisit() {
        const profile = await createProfile()
        const visit = await profile.openPage()
        return { ...visit, close: () => profile.close() }
      },
      close: () => browser.close(),
    }
  },
}

function toProfile(context: BrowserContext): Profile {
  const profile: Profile = {
    openPage: () => openTestPage(context, profile),
    close: () => context.close(),
  }
  return profile
}

async function openTestPage(context: BrowserContext, profile: Profile): Promise<TestVisit> {
  const { page, console, errors, navigations, close } = await openPage(context)
  let session: Promise<CDPSession> | undefined
  const openDevTools = (): Promise<CDPSession> => (session ??= context.newCDPSession(page))
  return {
    page,
    profile,
    console,
    watchWorkerConsole() {
      const lines: string[] = []
      const watch = (worker: Worker): void => {
        worker.on('console', (message) => lines.push(message.text()))
      }
      context.serviceWorkers().forEach(watch)
      context.on('serviceworker', watch)
      return lines
    },
    errors,
    navigations,
    close,
    openDevTools,
    async click(expression) {
      await waitUntil(page, expression)
      const element = (await page.evaluateHandle<Element>(expression)).asElement()
      await element?.click()
    },
    async hardReload(until) {
      const cdp = await openDevTools()
      const reloaded = page.waitForEvent(until as 'load')
      await cdp.send('Page.reload', { ignoreCache: true })
      await reloaded
    },
    async waitForPopUp(act) {
      const [opened] = await Promise.all([context.waitForEvent('page'), act()])
      await opened.waitForLoadState()
      return opened
    },
    async waitForDownload(act) {
      // A navigation that becomes a download rejects.
      const [started] = await Promise.all([page.waitForEvent('download'), act().catch(() => {})])
      return [started.suggestedFilename(), await readFile(await started.path(), 'utf8')]
    },
    async endWorkers() {
      const cdp = await openDevTools()
      await endWorkers(cdp)
    },
  }
}

/** Ends all service workers, as the browser does with idle ones. */
export async function endWorkers(cdp: CDPSession): Promise<void> {
  const stopped = new Promise<void>((resolve) => {
    cdp.on('ServiceWorker.workerVersionUpdated', ({ versions }) => {
      if (versions.some(({ runningStatus }) => runningStatus === 'stopped')) resolve()
    })
  })
  await cdp.send('ServiceWorker.enable')
  await cdp.send('ServiceWorker.stopAllWorkers')
  await stopped
  await cdp.send('ServiceWorker.disable')
}
