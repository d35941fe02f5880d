/**
 * Tests pages that Chromium prerenders: before it shows one, it defers the messages, locks and registrations of the page. Firefox
 * does not prerender pages.
 */
import type { CDPSession } from 'playwright'
import { beforeAll, expect, test } from 'vitest'

import { launchBrowser } from '../acceptance/browser.ts'
import { serveProject } from '../acceptance/serve-project.ts'
import { vite } from './vite.ts'

const rules = { prerender: [{ urls: ['/next.html'], eagerness: 'immediate' }] }

let devTools: CDPSession

const served = serveProject(vite, {
  launch: () => launchBrowser([], { mayBeShell: false }),
  files: {
    'src/mocks/handlers.js': `import { http, HttpResponse } from '@understudy/engine'
        const pixels = '<svg xmlns="http://www.w3.org/2000/svg" width="7" height="7"></svg>'
        export const handlers = [
          http.get('/api/image', () => new HttpResponse(pixels, { headers: { 'Content-Type': 'image/svg+xml' } })),
          http.get('/api/user', () => HttpResponse.json({ from: 'the mock' })),
        ]`,
    'index.html': '<p>It starts the worker.</p>',
    'rules.html': `<script type="speculationrules">${JSON.stringify(rules)}</script>`,
    'next.html': `<script>
          globalThis.wasPrerendered = document.prerendering
          globalThis.lines = []
          for (const name of ['info', 'warn', 'error']) console[name] = (...texts) => lines.push([name, ...texts].join(' '))
          globalThis.answer = fetch('/api/user').then((r) => r.json()).then(({ from }) => from, String)
        </script>
        <img src="/api/image" onload="globalThis.image = this.naturalWidth" onerror="globalThis.image = 'error'">`,
  },
})
beforeAll(async () => {
  devTools = await served.browser.newBrowserCDPSession()
})

/** Evaluates an expression in a tab that Playwright does not know: Chromium prerenders no page for a tab that a tool inspects. */
async function evaluate(targetId: string, expression: string): Promise<unknown> {
  const { sessionId } = await devTools.send('Target.attachToTarget', { targetId, flatten: false })
  const received = new Promise<string>((resolve) => {
    const onMessage = (event: { sessionId: string; message: string }): void => {
      if (event.sessionId !== sessionId) return
      devTools.off('Target.receivedMessageFromTarget', onMessage)
      resolve(event.message)
    }
    devTools.on('Target.receivedMessageFromTarget', onMessage)
  })
  const params = { expression, awaitPromise: true, returnByValue: true }
  const message = JSON.stringify({ id: 1, method: 'Runtime.evaluate', params })
  await devTools.send('Target.sendMessageToTarget', { sessionId, message })
  const { result } = JSON.parse(await received) as { result?: { result?: { value?: unknown } } }
  await devTools.send('Target.detachFromTarget', { sessionId })
  return result?.result?.value
}

test('requests of a page that is prerendered for long are answered when it is shown', async () => {
  const { targetId } = await devTools.send('Target.createTarget', { url: served.server.origin })
  await expect.poll(() => evaluate(targetId, 'Boolean(navigator.serviceWorker?.controller)')).toBe(true)
  await evaluate(targetId, "void (location.href = '/rules.html')")
  // Longer than all steps of a start may take until the page answers itself, and than the worker waits for the first script of a visible page.
  await new Promise((resolve) => setTimeout(resolve, 14_000))
  await evaluate(targetId, "void (location.href = '/next.html')")
  await expect.poll(() => evaluate(targetId, 'globalThis.wasPrerendered')).toBe(true)
  expect(await evaluate(targetId, 'answer')).toBe('the mock')
  await expect.poll(() => evaluate(targetId, 'globalThis.image')).toBe(7)
  expect(await evaluate(targetId, "lines.join('\\n')")).toMatch(/^info \[understudy\] Mocking is on\. [^\n]*$/)
  expect(served.backend.requests).toEqual([])
})
