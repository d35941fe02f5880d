import { expect, test } from 'vitest'

import type { Extent } from './build-tool.ts'
import type { PanelLog } from './open-panel-log.ts'

/** Tests the messages of WebSocket connections and the events of streams in the panel. */
export function testPanelLogConnections(log: PanelLog, extent: Extent): void {
  const { options } = log

  test('a WebSocket connection has a row and its messages, and the panel can send a message', async () => {
    await log.app.page.evaluate('chat()')
    await options(/^open WS .*chat\.test\/room/).click()
    const detail = log.panel.getByRole('region', { name: 'WebSocket wss://chat.test/room' })
    const messages = detail.getByRole('region', { name: 'Messages' }).getByRole('listitem')
    await expect
      .poll(() => messages.allTextContents())
      .toEqual([expect.stringMatching(/^↓echo <b>hi<\/b>/), expect.stringMatching(/^↑<b>hi<\/b>/)])
    expect(await detail.locator('b').count()).toBe(0)
    await detail.getByRole('searchbox', { name: 'Message to the app' }).fill('by hand')
    await log.panel.keyboard.press('Enter')
    await expect.poll(() => log.app.page.evaluate('received')).toEqual(['echo <b>hi</b>', 'by hand'])
    await expect.poll(() => messages.count()).toBe(3)
    await log.app.page.evaluate('socket.send(Uint8Array.of(0, 15, 255))')
    await messages.filter({ hasText: /^↑Binary message 00 0f ff3 B/ }).waitFor()
    await log.app.page.evaluate('socket.close()')
    await options(/^1000 WS/).waitFor()
    expect(await detail.getByRole('searchbox').count()).toBe(0)
  })

  // The rest is code of the panel, which is the same with each build tool.
  if (extent === 'main') return

  test('the events of a stream are rows, and appear while the stream is open', async () => {
    await log.app.page.evaluate(`void (window.source = new EventSource('/api/events'))`)
    await options(/\/api\/events/).click()
    const detail = log.panel.getByRole('region', { name: /^GET .*\/api\/events$/ })
    const events = detail.getByRole('list', { name: 'Events' }).getByRole('listitem')
    await expect
      .poll(() => events.allTextContents())
      .toEqual([
        expect.stringMatching(/^↓{"name":"Ada"}joined #514 B\d\d:\d\d:\d\d\.\d{3}$/),
        expect.stringMatching(/^↓<b>first<\/b>message12 B\d\d:\d\d:\d\d\.\d{3}$/),
      ])
    expect(await detail.locator('b').count()).toBe(0)
    await log.app.page.evaluate(`sendEvent('third')`)
    await expect.poll(() => events.first().textContent()).toMatch(/^↓thirdmessage5 B\d/)
    await detail.getByRole('button', { name: 'Raw' }).click()
    await detail.getByText('data: third').waitFor()
    await detail.getByRole('button', { name: 'Raw' }).click()

    await log.app.page.evaluate(`
  window.received = []
  source.onmessage = ({ data }) => received.push(data)
  source.addEventListener('left', ({ data }) => received.push('left: ' + data))
`)
    await detail.getByRole('searchbox', { name: 'Data of the event' }).fill('by hand')
    await log.panel.keyboard.press('Enter')
    await expect.poll(() => log.app.page.evaluate('received')).toEqual(['by hand'])
    await detail.getByRole('searchbox', { name: 'Type of the event' }).fill('left')
    await detail.getByRole('searchbox', { name: 'Data of the event' }).fill('Ada')
    await detail.getByRole('button', { name: 'Send' }).click()
    await expect.poll(() => log.app.page.evaluate('received')).toEqual(['by hand', 'left: Ada'])
    await expect.poll(() => events.first().textContent()).toMatch(/^↓Adaleft3 B/)
    await log.app.page.evaluate('endEvents()')
    await expect.poll(() => detail.getByRole('searchbox').count()).toBe(0)
  })
}
