import type { WebSocketLink } from '@understudy/engine'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'

import { chromium } from './chromium.ts'
import { servePlain } from './serve-plain.ts'
import type { BrowserDriver, Profile, TestBrowser, TestPage } from './test-browser.ts'

// The globals of the fixture's page, for functions that run there.
declare global {
  var link: WebSocketLink
  var heard: string[]
}

/** Tests the clients of a link in several tabs of one origin. */
export function testLinkClients(driver: BrowserDriver = chromium): void {
  describe(`in ${driver.name}, clients of a link`, () => {
    const fixture = servePlain()
    let browser: TestBrowser
    let profile: Profile
    let pages: TestPage[]

    beforeAll(async () => {
      browser = await driver.launch()
    })
    afterAll(() => browser.close())

    const openTab = async (name: string, owner: Profile): Promise<TestPage> => {
      const { page } = await owner.openPage()
      await page.goto(fixture.origin)
      await page.waitForFunction('isReady')
      await page.evaluate(async (tab) => {
        globalThis.heard = []
        globalThis.link = engine.ws.link('wss://example.com/chat')
        const other = engine.ws.link('wss://example.com/other')
        globalThis.worker = setupWorker(
          link.addEventListener('connection', ({ client }) => {
            client.addEventListener('message', ({ data }) => {
              if (data === 'all') link.broadcast(`${tab} to all`)
              if (data === 'others') link.broadcastExcept(client, `${tab} to others`)
            })
          }),
          other.addEventListener('connection', () => {}),
        )
        await worker.start({ quiet: true })
        const open = (url: string): Promise<WebSocket> =>
          new Promise((resolve) => {
            const socket = new WebSocket(url)
            socket.addEventListener('open', () => resolve(socket))
            socket.addEventListener('message', ({ data }) => heard.push(String(data)))
            socket.addEventListener('close', ({ code, reason }) => heard.push(`close ${code} ${reason}`))
          })
        await open('wss://example.com/other')
        Object.assign(globalThis, { socket: await open('wss://example.com/chat') })
      }, name)
      return page
    }

    beforeEach(async () => {
      profile = await browser.createProfile()
      pages = []
      for (const name of ['first', 'second']) pages.push(await openTab(name, profile))
      for (const page of pages) await expect.poll(() => clientsOf(page)).toBe(2)
    })
    afterEach(() => profile.close())

    const clientsOf = (page: TestPage | undefined): Promise<number> | undefined =>
      page?.evaluate(() => link.clients.size)
    const heardBy = (page: TestPage | undefined): Promise<string[]> | undefined => page?.evaluate(() => heard)

    test('broadcast() reaches the clients of other tabs, and broadcastExcept() all but one', async () => {
      const [first, second] = pages
      await first?.evaluate('socket.send("all")')
      await expect.poll(() => heardBy(second)).toEqual(['first to all'])
      await expect.poll(() => heardBy(first)).toEqual(['first to all'])
      await second?.evaluate('socket.send("others")')
      await expect.poll(() => heardBy(first)).toEqual(['first to all', 'second to others'])
      expect(await heardBy(second)).toEqual(['first to all'])
    })

    test('a client of another tab can be closed, and addEventListener() says why it does not work', async () => {
      const [first, second] = pages
      const message = await first?.evaluate(() => {
        const own = worker.listHandlers().length
        const [, remote] = [...link.clients]
        try {
          remote?.addEventListener('message', () => own)
        } catch (error) {
          return (error as Error).message
        } finally {
          remote?.close(4000, 'from the first tab')
        }
        return ''
      })
      expect(message).toContain('the client belongs to another page. Listen in that page')
      await expect.poll(() => heardBy(second)).toEqual(['close 4000 from the first tab'])
      for (const page of pages) await expect.poll(() => clientsOf(page)).toBe(1)
    })

    test('stop(), and closing a tab, remove the tab’s clients', async () => {
      const [first, second] = pages
      expect(
        await first?.evaluate(() => {
          worker.stop()
          return link.clients.size
        }),
      ).toBe(1)
      await expect.poll(() => clientsOf(second)).toBe(1)
      await second?.close()
      await expect.poll(() => clientsOf(first)).toBe(0)
    })

    test('a tab that ends without a message has no clients any more', async () => {
      const [first, second] = pages
      // The browser may end the process of the tab before its last message has left it.
      await second?.evaluate('BroadcastChannel.prototype.postMessage = () => {}')
      await second?.close()
      await expect.poll(() => clientsOf(first)).toBe(1)
    })

    // Firefox keeps no page there that has held a Web Lock.
    test.skipIf(driver.name === 'Firefox')(
      'a tab in the back/forward cache has no clients until it returns',
      async () => {
        const withCache = await driver.launch({ hasBackForwardCache: true })
        onTestFinished(() => withCache.close())
        const owner = await withCache.createProfile()
        const first = await openTab('first', owner)
        const second = await openTab('second', owner)
        for (const page of [first, second]) await expect.poll(() => clientsOf(page)).toBe(2)
        await second.evaluate(() => {
          addEventListener('pageshow', ({ persisted }) => Object.assign(globalThis, { persisted }))
        })
        for (const round of ['once', 'twice']) {
          await second.goto(`${fixture.origin}/empty.html`)
          await expect.poll(() => clientsOf(first)).toBe(1)
          await second.evaluate('void history.back()')
          await second.waitForFunction('globalThis.persisted')
          for (const page of [first, second]) await expect.poll(() => clientsOf(page)).toBe(2)
          await first.evaluate(`link.broadcast("${round}")`)
          await expect.poll(() => heardBy(second)).toContain(round)
        }
        // The returned tabs still notice the end of the others.
        await first.evaluate('BroadcastChannel.prototype.postMessage = () => {}')
        await first.close()
        await expect.poll(() => clientsOf(second)).toBe(1)
      },
    )

    test('a frame with handlers has clients until it is removed', async () => {
      const [first, second] = pages
      await first?.evaluate(async () => {
        const frame = document.createElement('iframe')
        frame.src = '/'
        document.body.append(frame)
        await new Promise((resolve) => frame.addEventListener('load', resolve))
        const inner = frame.contentWindow as unknown as typeof globalThis
        while (!('isReady' in inner)) await new Promise((resolve) => setTimeout(resolve, 10))
        const chat = inner.engine.ws.link('wss://example.com/chat')
        await inner.setupWorker(chat.addEventListener('connection', () => {})).start({ quiet: true })
        const socket = new inner.WebSocket('wss://example.com/chat')
        socket.addEventListener('message', ({ data }) => heard.push(`frame: ${data as string}`))
        await new Promise((resolve) => socket.addEventListener('open', resolve))
        Object.assign(globalThis, { frame })
      })
      for (const page of pages) await expect.poll(() => clientsOf(page)).toBe(3)
      await second?.evaluate('link.broadcast("hello")')
      await expect.poll(async () => (await heardBy(first))?.toSorted()).toEqual(['frame: hello', 'hello'])
      await first?.evaluate('frame.remove()')
      for (const page of pages) await expect.poll(() => clientsOf(page)).toBe(2)
    })

    test('links of one URL share their clients: a hot update and a second link neither lose nor repeat any', async () => {
      const [first, second] = pages
      const opened = await first?.evaluate(async () => {
        const earlier = link
        // A hot update replaces the initial handlers, and the app's connection stays.
        globalThis.link = engine.ws.link('wss://example.com/chat')
        const twin = engine.ws.link('wss://example.com/chat')
        worker.resetHandlers(
          link.addEventListener('connection', () => {}),
          twin.addEventListener('connection', () => {}),
        )
        const sizes = [earlier, link, twin].map(({ clients }) => clients.size)
        const later = new WebSocket('wss://example.com/chat')
        later.addEventListener('message', ({ data }) => heard.push(`later: ${data as string}`))
        Object.assign(globalThis, { later })
        await new Promise((resolve) => later.addEventListener('open', resolve))
        return [sizes, [earlier, link, twin].map(({ clients }) => clients.size)]
      })
      expect(opened).toEqual([
        [2, 2, 2],
        [3, 3, 3],
      ])
      await expect.poll(() => clientsOf(second)).toBe(3)

      await second?.evaluate('link.broadcast("once")')
      await expect.poll(() => heardBy(first)).toHaveLength(2)
      await first?.evaluate('link.broadcast("from the new link")')
      await expect.poll(() => heardBy(second)).toEqual(['once', 'from the new link'])
      await expect.poll(() => heardBy(first)).toHaveLength(4)
      expect((await heardBy(first))?.toSorted()).toEqual([
        'from the new link',
        'later: from the new link',
        'later: once',
        'once',
      ])

      // The connection that the earlier link took.
      await first?.evaluate('socket.close()')
      for (const page of pages) await expect.poll(() => clientsOf(page)).toBe(2)
      await second?.evaluate('link.broadcast("twice")')
      await expect.poll(() => heardBy(first)).toContain('later: twice')
    })

    test('messages of other shapes and of other links change nothing', async () => {
      const [first, second] = pages
      await first?.evaluate(() => {
        const channel = new BroadcastChannel('understudy:web-socket')
        const url = 'wss://example.com/chat'
        for (const message of [
          null,
          'text',
          { type: 'understudy:clients' },
          { type: 'understudy:clients', link: url, page: 'x', clients: [{ id: 1, url }] },
          { type: 'understudy:clients', link: url, page: 'x', clients: [{ id: 'a', url: 'no URL' }] },
          { type: 'understudy:clients', link: 'wss://example.com/elsewhere', page: 'x', clients: [{ id: 'a', url }] },
          { type: 'understudy:client-send', link: url, client: '__proto__', message: 'x' },
          { type: 'understudy:client-close', link: url, client: 'x', code: '1000', reason: '' },
        ]) {
          channel.postMessage(message)
        }
        channel.postMessage({ type: 'understudy:clients', link: url, page: '__proto__', clients: [{ id: 'a', url }] })
      })
      await expect.poll(() => clientsOf(second)).toBe(3)
      expect(await heardBy(second)).toEqual([])
      expect(await second?.evaluate(() => 'id' in {})).toBe(false)
    })
  })
}
