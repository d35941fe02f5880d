import type { Browser } from 'playwright'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { launchBrowser, openVisit } from '../acceptance/browser.ts'
import { servePlain } from '../acceptance/serve-plain.ts'

const fixture = servePlain({
  'public/empty.html': '<!doctype html><title>Empty</title><link rel="icon" href="data:," />',
})
let browser: Browser
beforeAll(async () => {
  browser = await launchBrowser()
})
afterAll(() => browser.close())

test('the worker fails a request with an invalid decision, and reports the reason', async () => {
  const { page, context, close } = await openVisit(browser)
  const lines: string[] = []
  context.on('serviceworker', (worker) => {
    worker.on('console', (message) => lines.push(message.text()))
  })
  await page.addInitScript(() => {
    const prototype = MessagePort.prototype
    const send = Reflect.get(prototype, 'postMessage') as (message: unknown, transfer?: unknown) => void
    Object.assign(prototype, {
      postMessage(this: MessagePort, message: { type?: unknown }, transfer?: unknown) {
        const sent = message.type === 'mocked' ? { ...message, response: 'no object' } : message
        send.call(this, sent, transfer)
      },
    })
  })
  await page.goto(fixture.origin)
  await page.waitForFunction('isReady')
  const answer = await page.evaluate(async () => {
    const { http, HttpResponse } = engine
    globalThis.worker = setupWorker(http.get('/api/user', () => HttpResponse.json({})))
    await worker.start()
    return fetch('/api/user').then(
      () => 'a response',
      (error: Error) => error.name,
    )
  })
  expect(answer).toBe('TypeError')
  await expect
    .poll(() => lines)
    .toEqual([
      `[understudy] Failed to answer GET ${fixture.origin}/api/user: ` +
        'the page whose handlers answer it sent an invalid decision. Reload the page. (US0309)',
    ])
  await close()
})
