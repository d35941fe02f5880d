import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { describe } from 'vitest'

import { returnBrowser, takeBrowser, type KeptBrowser } from '../acceptance/kept-browsers.ts'
import type { BrowserDriver, Profile, TestBrowser, TestVisit } from '../acceptance/test-browser.ts'
import { findFirefox } from '../find-firefox.ts'
import { startSession, type BidiSession } from './bidi-session.ts'
import { idleTimeout, openTab, pageEvents } from './firefox-page.ts'

/** The command of an installed Firefox. Without one, its tests are skipped. */
const firefoxCommand: string | undefined = findFirefox()

/**
 * All hosts that tests map to this machine. Every browser maps all of them, so that more files share one: Firefox takes 6 seconds of
 * processor time to start and end.
 */
const mappedHosts = ['app.test', 'embedder.test', 'other.test', 'shop.test']

/** An installed Firefox, controlled with WebDriver BiDi, because Playwright supports only its own build. */
const firefox: BrowserDriver<'Firefox'> = {
  name: 'Firefox',
  async launch({ hosts = [], endsWorkers = false, certificates } = {}) {
    const unknown = hosts.filter((host) => !mappedHosts.includes(host))
    if (unknown.length > 0) throw new Error(`Failed to map ${unknown.join()}: add the host to mappedHosts.`)
    return launchFirefox(
      {
        'network.dns.localDomains': mappedHosts.join(),
        ...(endsWorkers && { 'dom.serviceWorkers.idle_timeout': idleTimeout }),
      },
      certificates !== undefined,
    )
  },
}

/** Defines tests that are skipped without Firefox. */
export function inFirefox(define: (driver: BrowserDriver<'Firefox'>) => void): void {
  describe.skipIf(firefoxCommand === undefined)('Firefox', () => {
    define(firefox)
  })
}

type Preferences = Readonly<Record<string, string | number | boolean>>

/**
 * Starts Firefox with a new profile, or returns one that an earlier test file has closed.
 *
 * @param preferences as on `about:config`
 * @param acceptsCertificates whether it accepts any certificate
 */
export async function launchFirefox(preferences: Preferences = {}, acceptsCertificates = false): Promise<TestBrowser> {
  const key = JSON.stringify(['Firefox', preferences, acceptsCertificates])
  const kept = await takeBrowser(key, () => startFirefox(preferences, acceptsCertificates))
  return { ...kept.browser, close: () => returnBrowser(key, kept) }
}

async function startFirefox(
  preferences: Preferences,
  acceptsCertificates: boolean,
): Promise<KeptBrowser<Omit<TestBrowser, 'close'>>> {
  const folder = await mkdtemp(join(tmpdir(), 'understudy-firefox-'))
  const lines = Object.entries(preferences).map((entry) => `user_pref(${JSON.stringify(entry).slice(1, -1)});`)
  await writeFile(join(folder, 'user.js'), lines.join('\n'))
  const args = ['--headless', '--no-remote', '--profile', folder, '--remote-debugging-port', '0', 'about:blank']
  const child = spawn(firefoxCommand ?? 'firefox', args, { stdio: ['ignore', 'ignore', 'pipe'] })
  running.set(child, folder)
  const session = await startSession(await readAddress(child.stderr), pageEvents, acceptsCertificates)
  const downloadBehavior = { type: 'allowed', destinationFolder: folder }
  await session.call('browser.setDownloadBehavior', { downloadBehavior })

  const open = new Set<Profile>()
  return {
    browser: {
      createProfile: () => createProfile(session, open),
      async openVisit() {
        const profile = await createProfile(session, open)
        const visit = await profile.openPage()
        return { ...visit, close: () => profile.close() }
      },
    },
    async reset() {
      for (const profile of open) await profile.close()
      return child.exitCode === null
    },
    async end() {
      const exit = once(child, 'exit')
      await session.call('browser.close', {})
      await exit
      running.delete(child)
      await rm(folder, removal)
    },
  }
}

/** The browsers of this process, and the folders of their profiles. */
const running = new Map<ChildProcess, string>()
process.once('exit', () => {
  // Kill all of them first: a folder takes long to remove, and Vitest kills a process that has not ended after half a second.
  for (const child of running.keys()) child.kill('SIGKILL')
  for (const folder of running.values()) rmSync(folder, removal)
})

/** Firefox may still write while it ends. */
const removal = { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }

/**
 * Creates a profile: a container of Firefox, with separate workers, caches and cookies.
 *
 * @param open contains the profile while it is open
 */
async function createProfile(session: BidiSession, open: Set<Profile>): Promise<Profile> {
  const { userContext } = await session.call<{ userContext: string }>('browser.createUserContext', {})
  const profile: Profile = {
    openPage: (): Promise<TestVisit> => openTab(session, userContext, profile),
    async close() {
      open.delete(profile)
      await session.call('browser.removeUserContext', { userContext })
    },
  }
  open.add(profile)
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
