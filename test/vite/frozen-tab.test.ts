/**
 * Tests a background tab that Chromium has frozen, so that its code does not run and it does not answer. Firefox does not freeze
 * tabs: it throttles timers of background tabs and unloads tabs, which ends their pages.
 */
import type { Browser, CDPSession } from 'playwright'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { launchBrowser } from '../acceptance/browser.ts'
import { servePlain } from '../acceptance/serve-plain.ts'

const fixture = servePlain()
let browser: Browser
let devTools: CDPSession

beforeAll(async () => {
  browser = await launchBrowser([], { mayBeShell: false })
  devTools = await browser.newBrowserCDPSession()
})
afterAll(() => browser.close())

interface Tab {
  readonly targetId: string
  call(method: string, params?: object): Promise<{ result?: { value?: unknown } }>
  evaluate(expression: string): Promise<unknown>
}

/** Opens a tab that Playwright does not know. Playwright keeps its own ones visible, and Chromium freezes only hidden ones. */
async function openTab(from: string): Promise<Tab> {
  const { targetId } = await devTools.send('Target.createTarget', { url: fixture.origin })
  const { sessionId } = await devTools.send('Target.attachToTarget', { targetId, flatten: false })
  let lastId = 0
  const waiting = new Map<number, (result: { result?: { value?: unknown } }) => void>()
  devTools.on('Target.receivedMessageFromTarget', (event) => {
    if (event.sessionId !== sessionId) return
    const { id = 0, result = {} } = JSON.parse(event.message) as { id?: number; result?: object }
    waiting.get(id)?.(result)
  })
  const tab: Tab = {
    targetId,
    async call(method, params = {}) {
      const id = (lastId += 1)
      const answered = new Promise<{ result?: { value?: unknown } }>((resolve) => {
        waiting.set(id, resolve)
      })
      await devTools.send('Target.sendMessageToTarget', { sessionId, message: JSON.stringify({ id, method, params }) })
      return answered
    },
    async evaluate(expression) {
      const { result } = await tab.call('Runtime.evaluate', { expression, awaitPromise: true, returnByValue: true })
      return result?.value
    },
  }
  await expect.poll(() => tab.evaluate('globalThis.isReady'), { timeout: 20_000 }).toBe(true)
  await tab.evaluate(`(async () => {
    const { http, HttpResponse } = engine
    globalThis.worker = setupWorker(http.get('/api/user', () => HttpResponse.json({ from: '${from}' })))
    await worker.start()
  })()`)
  return tab
}

/** A worker that another worker has created from a `blob:` URL, so that its page is not known, and any page may answer it. */
const askByUnknownWorker = `new Promise((resolve) => {
  const code = "fetch('" + location.origin + "/api/user').then((r) => r.json()).then(({ from }) => postMessage(from))"
  const outer = "const nested = new Worker(URL.createObjectURL(new Blob([" + JSON.stringify(code) + "])));" +
    "nested.onmessage = ({ data }) => postMessage(data)"
  const asking = new Worker(URL.createObjectURL(new Blob([outer])))
  asking.onmessage = ({ data }) => resolve(data)
})`

test('another tab answers for it', async () => {
  const tab = await openTab('the tab')
  const frozen = await openTab('the frozen tab')
  await frozen.evaluate("document.addEventListener('freeze', () => { globalThis.wasFrozen = true })")
  await devTools.send('Target.activateTarget', { targetId: frozen.targetId })
  // Of the tabs that mock, this one was focused last, so it is asked first.
  await devTools.send('Target.createTarget', { url: 'about:blank' })
  await expect.poll(() => frozen.evaluate('document.visibilityState')).toBe('hidden')
  await frozen.call('Page.setWebLifecycleState', { state: 'frozen' })
  await expect.poll(() => frozen.evaluate('globalThis.wasFrozen')).toBe(true)

  expect(await tab.evaluate(askByUnknownWorker)).toBe('the tab')
  const { targetInfos } = await devTools.send('Target.getTargets')
  const worker = targetInfos.find(({ type }) => type === 'service_worker')
  await devTools.send('Target.closeTarget', { targetId: worker?.targetId ?? '' })
  expect(await tab.evaluate(askByUnknownWorker)).toBe('the tab')
  expect(await tab.evaluate("fetch('/api/user').then((r) => r.json()).then((r) => r.from)")).toBe('the tab')
  // What follows when it is active again is not tested: Chromium often loads such a tab again.
  expect(fixture.backend.requests).toEqual([])
})
