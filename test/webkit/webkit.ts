import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, globSync } from 'node:fs'

import type { Page } from 'playwright'
import { describe } from 'vitest'

import { findPort } from '../acceptance/run-tool.ts'
import {
  waitUntil,
  type BrowserDriver,
  type Profile,
  type TestBrowser,
  type TestPage,
  type TestVisit,
} from '../acceptance/test-browser.ts'

const driverCommand = '/usr/bin/WebKitWebDriver'
const [miniBrowser] = globSync('/usr/lib/*/webkit2gtk-*/MiniBrowser')

/** Defines tests that are skipped where there is no WebKitGTK with its WebDriver, or no display. */
export function inWebKit(define: (driver: BrowserDriver) => void): void {
  const isThere = existsSync(driverCommand) && miniBrowser !== undefined && process.env['DISPLAY'] !== undefined
  describe.skipIf(!isThere)('WebKit', () => {
    define(webkit)
  })
}

/** WebKitGTK's MiniBrowser, controlled with WebDriver. Each profile has its own driver process. */
const webkit: BrowserDriver = {
  name: 'WebKit',
  launch: () => {
    const browser: TestBrowser = {
      createProfile,
      async openVisit() {
        const profile = await createProfile()
        const visit = await profile.openPage()
        return { ...visit, close: () => profile.close() }
      },
      close: () => Promise.resolve(),
    }
    return Promise.resolve(browser)
  },
}

/** A call of a session: `('POST', '/url', { url })`. */
type Call = <Result>(method: 'GET' | 'POST' | 'DELETE', path: string, body?: object) => Promise<Result>

async function createProfile(): Promise<Profile> {
  const port = await findPort()
  const child = spawn(driverCommand, [`--port=${port}`], { stdio: ['ignore', 'pipe', 'pipe'] })
  const kill = (): unknown => child.kill('SIGKILL')
  process.once('exit', kill)
  const visits: TestVisit[] = []
  const hear = (chunk: string): void => {
    for (const line of chunk.split('\n')) {
      const [, kind = '', text = ''] = /CONSOLE (\w+(?: \w+)?) (.*)/.exec(line) ?? []
      if (kind === '') continue
      for (const { console: lines, errors } of visits) (kind === 'JS ERROR' ? errors : lines).push(text)
    }
  }
  child.stdout.setEncoding('utf8').on('data', hear)
  child.stderr.setEncoding('utf8').on('data', hear)
  await untilListening(port)

  const origin = `http://127.0.0.1:${port}`
  const args = ['--automation', '--enable-write-console-messages-to-stdout=true']
  const capabilities = { alwaysMatch: { 'webkitgtk:browserOptions': { binary: miniBrowser, args } } }
  const { sessionId } = await send<{ sessionId: string }>('POST', `${origin}/session`, { capabilities })
  const call: Call = (method, path, body) => send(method, `${origin}/session/${sessionId}${path}`, body)
  await call('POST', '/timeouts', { script: 100_000 })

  let last: Promise<unknown> = Promise.resolve()
  let isFirst = true
  const profile: Profile = {
    async openPage() {
      const handle = isFirst
        ? await call<string>('GET', '/window')
        : (await call<{ handle: string }>('POST', '/window/new', { type: 'tab' })).handle
      isFirst = false
      // A session has one current window.
      const callHere: Call = (method, path, body) => {
        const result = last.then(async () => {
          await call('POST', '/window', { handle })
          return call(method, path, body)
        })
        last = result.catch(() => {})
        return result as never
      }
      const visit = createVisit(callHere, profile)
      visits.push(visit)
      return visit
    },
    async close() {
      const exit = once(child, 'exit')
      await send('DELETE', `${origin}/session/${sessionId}`).catch(() => {})
      child.kill()
      await exit
      process.off('exit', kill)
    },
  }
  return profile
}

function createVisit(call: Call, profile: Profile): TestVisit {
  const missing = (): Promise<never> =>
    Promise.reject(new Error('Failed to drive WebKit: its WebDriver cannot do that.'))
  const navigations: string[] = []
  async function evaluateText(expression: string): Promise<unknown> {
    const script =
      'const done = arguments[0];' +
      `(async () => JSON.stringify(await (${expression})))().then((text) => done({ text }), (error) => done({ error: String(error) }))`
    const { text, error } = await call<{ text?: string; error?: string }>('POST', '/execute/async', {
      script,
      args: [],
    })
    if (error !== undefined) throw new Error(error)
    return text === undefined ? undefined : (JSON.parse(text) as unknown)
  }
  const evaluate = (script: string | ((arg: unknown) => unknown), arg?: unknown): Promise<unknown> =>
    evaluateText(typeof script === 'string' ? script : `(${String(script)})(${JSON.stringify(arg)})`)
  const waitForFunction = (expression: string): Promise<void> =>
    waitUntil({ evaluate: evaluate as Page['evaluate'] }, expression)
  const page: TestPage = {
    evaluate: evaluate as Page['evaluate'],
    waitForFunction,
    waitForLoadState: () => waitForFunction("document.readyState === 'complete'"),
    async goto(url) {
      await call('POST', '/url', { url })
      navigations.push(url)
    },
    reload: () => call('POST', '/refresh', {}),
    addInitScript: missing,
    close: () => call('DELETE', '/window'),
  }
  return {
    page,
    profile,
    console: [],
    errors: [],
    navigations,
    click: missing,
    hardReload: missing,
    waitForPopUp: missing,
    waitForDownload: missing,
    endWorkers: missing,
    close: async () => {
      await page.close()
    },
  }
}

async function send<Result>(method: string, url: string, body?: object): Promise<Result> {
  const response = await fetch(url, { method, ...(body && { body: JSON.stringify(body) }) })
  const { value } = (await response.json()) as { value: Result & { error?: string; message?: string } }
  if (!response.ok) throw new Error(`Failed to drive WebKit: ${value.error} (${value.message}).`)
  return value
}

async function untilListening(port: number): Promise<void> {
  for (let attempt = 0; attempt < 200; attempt += 1) {
    const isListening = await fetch(`http://127.0.0.1:${port}/status`).then(
      () => true,
      () => false,
    )
    if (isListening) return
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error('Failed to start WebKitWebDriver: it does not listen.')
}
