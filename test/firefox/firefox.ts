import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { describe } from 'vitest'

import type { BrowserDriver, Profile, TestBrowser, TestVisit } from '../acceptance/test-browser.ts'
import { findFirefox } from '../find-firefox.ts'
import { startSession, type BidiSession } from './bidi-session.ts'
import { idleTimeout, openTab, pageEvents } from './firefox-page.ts'

/** The command of an installed Firefox. Without one, its tests are skipped. */
const firefoxCommand: string | undefined = findFirefox()

/** An installed Firefox, controlled with WebDriver BiDi, because Playwright supports only its own build. */
const firefox: BrowserDriver<'Firefox'> = {
  name: 'Firefox',
  launch: ({ hosts = [], endsWorkers = false, certificates } = {}) =>
    launchFirefox(
      {
        ...(hosts.length > 0 && { 'network.dns.localDomains': hosts.join() }),
        ...(endsWorkers && { 'dom.serviceWorkers.idle_timeout': idleTimeout }),
      },
      certificates !== undefined,
    ),
}

/** Defines tests that are skipped without Firefox. */
export function inFirefox(define: (driver: BrowserDriver<'Firefox'>) => void): void {
  describe.skipIf(firefoxCommand === undefined)('Firefox', () => {
    define(firefox)
  })
}

/**
 * Starts Firefox with a new profile.
 *
 * @param preferences as on `about:config`
 * @param acceptsCertificates whether it accepts any certificate
 */
export async function launchFirefox(
  preferences: Record<string, string | number | boolean> = {},
  acceptsCertificates = false,
): Promise<TestBrowser> {
  const folder = await mkdtemp(join(tmpdir(), 'understudy-firefox-'))
  const lines = Object.entries(preferences).map((entry) => `user_pref(${JSON.stringify(entry).slice(1, -1)});`)
  await writeFile(join(folder, 'user.js'), lines.join('\n'))
  const args = ['--headless', '--no-remote', '--profile', folder, '--remote-debugging-port', '0', 'about:blank']
  const child = spawn(firefoxCommand ?? 'firefox', args, { stdio: ['ignore', 'ignore', 'pipe'] })
  const kill = (): unknown => child.kill('SIGKILL')
  process.once('exit', kill)
  const session = await startSession(await readAddress(child.stderr), pageEvents, acceptsCertificates)
  const downloadBehavior = { type: 'allowed', destinationFolder: folder }
  await session.call('browser.setDownloadBehavior', { downloadBehavior })

  return {
    createProfile: () => createProfile(session),
    async openVisit() {
      const profile = await createProfile(session)
      const visit = await profile.openPage()
      return { ...visit, close: () => profile.close() }
    },
    async close() {
      const exit = once(child, 'exit')
      await session.call('browser.close', {})
      await exit
      process.off('exit', kill)
      await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 })
    },
  }
}

/** Creates a profile: a container of Firefox, with separate workers, caches and cookies. */
async function createProfile(session: BidiSession): Promise<Profile> {
  const { userContext } = await session.call<{ userContext: string }>('browser.createUserContext', {})
  const profile: Profile = {
    openPage: (): Promise<TestVisit> => openTab(session, userContext, profile),
    async close() {
      await session.call('browser.removeUserContext', { userContext })
    },
  }
  return profile
}

/** Resolves with the address that Firefox prints when it listens: `ws://127.0.0.1:43210`. */
function readAddress(output: NodeJS.ReadableStream): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = ''
    output.on('data', (chunk: Buffer) => {
      text += chunk.toString()
      const [, address] = /WebDriver BiDi listening on (ws:\/\/\S+)/.exec(text) ?? []
      if (address) resolve(address)
    })
    output.on('end', () => reject(new Error(`Failed to start Firefox. It said:\n${text}`)))
  })
}
