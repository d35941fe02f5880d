import { describe, expect, test } from 'vitest'

import type { BuildTool } from './build-tool.ts'
import { chromium } from './chromium.ts'
import { savingUntil } from './project.ts'
import { readBuild } from './read-build.ts'
import type { BrowserDriver, TestPage } from './test-browser.ts'
import { testUnprocessedWebWorkers } from './unprocessed-web-workers.ts'
import { handlers, vite, type OwnKinds } from './web-worker-sockets-page.ts'
import { insecureHost, serveWebWorkers } from './web-worker-visits.ts'

const commonKinds = ['module', 'classic', 'nested', 'shared']

/** WebSockets that web workers open. Service workers do not see these. */
export function testWebWorkerSockets(
  tool: BuildTool,
  { driver = chromium, own = vite }: { driver?: BrowserDriver; own?: OwnKinds } = {},
): void {
  const kinds = [...commonKinds, ...Object.keys(own.create)]
  /** Whether to test what does not depend on the build tool, too. */
  const isMain = own === vite

  describe(`${tool.name} in ${driver.name}, WebSockets of web workers`, () => {
    const at = serveWebWorkers(tool, driver, own)
    const { connect, events, inWorker, open, start } = at
    const clientsOf = (page: TestPage): Promise<unknown> => page.evaluate('chat.clients.size')

    if (isMain) testUnprocessedWebWorkers(at, kinds)

    /** Opens a page whose web worker has a connection, and has received its first message. */
    async function openConnected(): Promise<TestPage> {
      const page = await open()
      await start(page, 'classic')
      await connect(page, 'wss://example.com/chat/x')
      await expect.poll(() => events(page)).toHaveLength(2)
      return page
    }

    /** The kinds whose first line imports a module that opens a connection. */
    const early = ['module', 'nested', 'imported', 'common']

    test('a handler takes the connection of each kind of web worker, also at its first line', async () => {
      const page = await open()
      // Firefox could collect a web worker that the page no longer refers to, and its connections would end.
      await page.evaluate('void (globalThis.kept = [])')
      for (const kind of kinds) {
        await start(page, kind)
        await page.evaluate('void kept.push(worker)')
        const atStart = early.includes(kind) ? 'first of one in early' : null
        expect(await inWorker(page, 'globalThis.atStart ?? null'), kind).toBe(atStart)
        await connect(page, 'wss://example.com/chat/lobby', 'one', '["v2", "v1"]')
        await expect.poll(() => events(page), { message: kind }).toEqual(['open v2', 'first of one in lobby'])
        expect(
          await inWorker(page, '[one.socket instanceof WebSocket, one.socket.url, one.socket.readyState]'),
          kind,
        ).toEqual([true, 'wss://example.com/chat/lobby', 1])
        await inWorker(page, 'void one.socket.send("hello")')
        await inWorker(page, 'void one.socket.send("bye")')
        await expect
          .poll(() => events(page), { message: kind })
          .toEqual(['open v2', 'first of one in lobby', 'hello', 'close 4000 as you wish true'])
        expect(await inWorker(page, 'one.socket.readyState'), kind).toBe(3)
        await expect.poll(() => page.evaluate('ended.splice(0)'), { message: kind }).toEqual(['4000 as you wish'])
        // The web worker gets no other messages than those of the app.
        const heard = (await inWorker(page, 'heard')) as unknown[]
        expect(
          heard.every((each) => typeof each === 'string' && each.startsWith('() => ')),
          kind,
        ).toBe(true)
      }
    })

    test.runIf(driver.name === 'Chromium')('a handler takes a WebSocketStream', async () => {
      const page = await open()
      await start(page)
      const exchange = (url: string): string => `(async () => {
        const { readable, writable } = await new WebSocketStream('${url}').opened
        const reader = readable.getReader()
        const first = await (await writable.getWriter().write('hello'), reader.read())
        return [first.value, (await Promise.race([reader.read(), new Promise((end) => setTimeout(end, 300, {}))])).value ?? null]
      })()`
      expect(await inWorker(page, exchange('wss://example.com/chat/x'))).toEqual(['first of one in x', 'hello'])
      expect(await inWorker(page, exchange(`${at.real}/other`))).toEqual(['hello', null])
      expect(at.seen).toEqual(['open /other'])
    })

    test('so it does after an edit of the web worker', async () => {
      const page = await open()
      const original = await at.served.project.read('src/module.js')
      // The edit reloads the page.
      const readEdit = async (): Promise<unknown> => {
        await page.waitForFunction('globalThis.create')
        await start(page)
        return inWorker(
          page,
          `new Promise((resolve) => {
            new WebSocket('wss://example.com/chat/x').onmessage = ({ data }) => resolve([globalThis.edit ?? null, data])
          })`,
        )
      }
      const edited = `${original}\nglobalThis.edit = 1`
      await savingUntil(at.served.project, 'src/module.js', edited, readEdit).toEqual([1, 'first of one in x'])
      await at.served.project.write('src/module.js', original)
      await expect.poll(readEdit).toEqual([null, 'first of one in x'])
    })

    test('so it does if the page creates the web worker before mocking is on', async () => {
      expect(await inWorker(await open('early'), 'atStart')).toBe('first of early in early')
    })

    test.runIf(isMain)('so it does after the browser has terminated the service worker', async () => {
      const page = await open('one')
      // Another page could answer.
      await open('two')
      await start(page)
      await connect(page, 'wss://example.com/chat/x')
      await expect.poll(() => events(page)).toHaveLength(2)
      await at.visits[0]?.endWorkers()
      await connect(page, 'wss://example.com/chat/y', 'two')
      await expect.poll(() => events(page, 'two')).toEqual(['open ', 'first of one in y'])
      await inWorker(page, 'void one.socket.send("still here")')
      await expect.poll(async () => ((await events(page)) as string[]).at(-1)).toBe('still here')
    })

    test.runIf(isMain)('the page that created the web worker answers', async () => {
      const pages = [await open('one'), await open('two')]
      for (const page of pages) await start(page)
      for (const page of pages) await connect(page, 'wss://example.com/chat/x')
      const texts = []
      for (const page of pages) {
        await expect.poll(() => events(page)).toHaveLength(2)
        texts.push(((await events(page)) as string[])[1])
      }
      expect(texts).toEqual(['first of one in x', 'first of two in x'])
      // Links know the clients of web workers as they know those of pages.
      for (const page of pages) await expect.poll(() => clientsOf(page)).toBe(4)
    })

    test.runIf(isMain)('the page learns of an early close although the browser delivers its channel late', async () => {
      const page = await open()
      await start(page, 'classic')
      await page.evaluate(`window.BroadcastChannel = class extends BroadcastChannel {
        constructor(name) {
          super(name)
          if (!name.startsWith('understudy:web-worker-socket:')) return
          // As if this object had been registered only now.
          this.addEventListener('message', (event) => event.stopImmediatePropagation(), { once: true })
        }
      }`)
      await inWorker(page, 'void (globalThis.one = connect("wss://example.com/chat/x")).socket.close()')
      await expect.poll(() => events(page)).toEqual(['error 3', 'close 1006  false'])
      await expect.poll(() => page.evaluate('ended.length')).toBe(1)
      expect(await clientsOf(page)).toBe(0)
    })

    // One page, because each question needs only a connection that no other one uses.
    test.runIf(isMain)(
      'messages in order, bytes of each type, broadcasts, refusals, each way to close, and a real server',
      async () => {
        const page = await openConnected()

        // A thousand messages arrive in their order, in both directions.
        await inWorker(page, 'void (() => { for (let i = 0; i < 1000; i += 1) one.socket.send(String(i)) })()')
        await expect.poll(() => inWorker(page, 'one.events.length'), { timeout: 60_000 }).toBe(1002)
        expect(((await events(page)) as string[]).slice(2)).toEqual(Array.from({ length: 1000 }, (_, i) => String(i)))
        await expect.poll(() => inWorker(page, 'one.socket.bufferedAmount')).toBe(0)

        // The app closes it, before or after it is open.
        expect(await clientsOf(page)).toBe(1)
        await inWorker(page, 'void one.socket.close(3001, "done")')
        await expect.poll(async () => ((await events(page)) as string[]).at(-1)).toBe('close 3001 done true')
        await expect.poll(() => page.evaluate('ended.splice(0)')).toEqual(['3001 done'])
        await inWorker(page, 'void (globalThis.two = connect("wss://example.com/chat/x")).socket.close()')
        await expect.poll(() => events(page, 'two')).toEqual(['error 3', 'close 1006  false'])
        await expect.poll(() => page.evaluate('ended.splice(0).length')).toBe(1)
        await expect.poll(() => clientsOf(page)).toBe(0)

        // A handler refuses it.
        await connect(page, 'wss://example.com/chat/refused', 'refused')
        await expect.poll(() => events(page, 'refused')).toEqual(['error 3', 'close 1006  false'])
        await expect.poll(() => page.evaluate('ended.splice(0)')).toEqual(['1006 '])

        // broadcast() and close() of a client reach it.
        await connect(page, 'wss://example.com/chat/x', 'addressed')
        await expect.poll(() => events(page, 'addressed')).toHaveLength(2)
        await page.evaluate('chat.broadcast("to all")')
        await expect.poll(() => events(page, 'addressed')).toEqual(['open ', 'first of one in x', 'to all'])
        await page.evaluate('[...chat.clients][0].close(1013, "later")')
        await expect
          .poll(async () => ((await events(page, 'addressed')) as string[]).at(-1))
          .toBe('close 1013 later true')

        // Bytes of each type arrive as the type that the web worker has set.
        await connect(page, 'wss://example.com/chat/x', 'bytes')
        await expect.poll(() => events(page, 'bytes')).toHaveLength(2)
        for (const [index, [type, data]] of [
          ['blob', 'new Uint8Array([1, 2, 3])'],
          ['arraybuffer', 'new Uint8Array([0, 1, 2, 3]).subarray(1)'],
          ['blob', 'new Blob([new Uint8Array([1, 2, 3])])'],
          ['arraybuffer', 'new Blob([new Uint8Array([1, 2, 3])])'],
          ['arraybuffer', 'new Uint8Array([1, 2, 3]).buffer'],
        ].entries()) {
          await inWorker(page, `void ((bytes.socket.binaryType = '${type}'), bytes.socket.send(${data}))`)
          const message = `${data}, as ${type}`
          await expect.poll(() => inWorker(page, 'bytes.events.length'), { message }).toBe(index + 3)
          const received = `bytes.events[${index + 2}]`
          expect(
            await inWorker(
              page,
              `new Response(${received}).arrayBuffer().then((b) => [${received}.constructor.name, ...new Uint8Array(b)])`,
            ),
            message,
          ).toEqual([type === 'blob' ? 'Blob' : 'ArrayBuffer', 1, 2, 3])
        }

        // server.connect() connects to the real server.
        await connect(page, `${at.real}/proxied`, 'proxied')
        await expect.poll(() => events(page, 'proxied')).toEqual(['open '])
        await inWorker(page, 'void proxied.socket.send("text")')
        await expect.poll(() => events(page, 'proxied')).toEqual(['open ', 'patched text'])
        expect(await inWorker(page, 'void (proxied.socket.binaryType = "arraybuffer")')).toBe(undefined)
        await inWorker(page, 'void proxied.socket.send(new Uint8Array(1e6))')
        await expect.poll(() => inWorker(page, 'proxied.events[2]?.byteLength')).toBe(1e6)
        await expect.poll(() => inWorker(page, 'proxied.socket.bufferedAmount')).toBe(0)
        await inWorker(page, 'void proxied.socket.close(3000, "done")')
        await expect.poll(() => at.seen).toEqual(['open /proxied', 'close /proxied 3000 done'])
      },
    )

    test('without a matching handler it reaches the real server, and the console says so', async () => {
      const page = await open()
      await start(page, 'classic')
      await connect(page, `${at.real}/other`)
      await expect.poll(() => events(page)).toEqual(['open '])
      await inWorker(page, 'void one.socket.send("text")')
      await expect.poll(() => events(page)).toEqual(['open ', 'text'])
      await inWorker(page, 'void one.socket.close(3000, "done")')
      await expect.poll(() => events(page)).toEqual(['open ', 'text', 'close 3000 done true'])
      expect(at.seen).toEqual(['open /other', 'close /other 3000 done'])
      await expect.poll(() => at.visits[0]?.console.join('\n')).toContain(`ws.link('${at.real}/other')`)
    })

    test.runIf(isMain)('the policy "error" fails it', async () => {
      const page = await open()
      await page.evaluate(`(async () => {
        await understudy.worker.stop()
        await understudy.worker.start({ onUnhandledRequest: 'error' })
      })()`)
      await start(page, 'classic')
      await connect(page, `${at.real}/other`)
      await expect.poll(() => events(page)).toEqual(['error 3', 'close 1006  false'])
      expect(at.seen).toEqual([])
    })

    test('it reaches the real server when mocking is off', async () => {
      const page = await open()
      await start(page, 'classic')
      await page.evaluate('understudy.worker.stop()')
      // The worker ends with stop() a moment later. The requests of the page wait until then.
      await page.evaluate(`fetch('/').then((response) => response.text())`)
      await connect(page, `${at.real}/proxied`)
      await expect.poll(() => events(page)).toEqual(['open '])
      await inWorker(page, 'void one.socket.send("text")')
      await expect.poll(() => events(page)).toEqual(['open ', 'text'])
    })

    test.runIf(isMain)(
      'it reaches the real server on an insecure origin, where there is no service worker',
      async () => {
        const page = await open('one', `http://${insecureHost}:${at.served.server.port}`)
        await start(page, 'classic')
        await connect(page, `${at.real}/proxied`)
        await expect.poll(() => events(page)).toEqual(['open '])
        expect(at.visits[0]?.console.join('\n')).toContain('in the page itself, because')
      },
    )

    test.runIf(isMain)('a web worker that is terminated leaves the link', async () => {
      const page = await open()
      await start(page, 'nested')
      await connect(page, 'wss://example.com/chat/x')
      await connect(page, `${at.real}/proxied?two`, 'two')
      await expect.poll(() => events(page)).toHaveLength(2)
      await expect.poll(() => events(page, 'two')).toHaveLength(1)
      await page.evaluate('worker.terminate()')
      await expect.poll(() => page.evaluate('ended')).toEqual(['1001 ', '1001 '])
      await expect.poll(() => clientsOf(page)).toBe(0)
      // Pages of earlier tests may close their connections now.
      const seenHere = (): string[] => at.seen.filter((each) => each.includes('?two'))
      await expect.poll(seenHere).toEqual(['open /proxied?two', 'close /proxied?two 1005 '])
    })

    test.runIf(isMain)('a page that reloads takes its web workers with it', async () => {
      const [page, other] = [await open('one'), await open('two')]
      await start(page, 'classic')
      await connect(page, 'wss://example.com/chat/x')
      await expect.poll(() => events(page)).toHaveLength(2)
      await expect.poll(() => clientsOf(other)).toBe(1)
      await page.reload()
      await expect.poll(() => clientsOf(other)).toBe(0)
      await page.waitForFunction('globalThis.create')
      await start(page, 'classic')
      await connect(page, 'wss://example.com/chat/x')
      await expect.poll(() => events(page)).toEqual(['open ', 'first of one in x'])
    })

    test.runIf(isMain)('another page answers for a shared worker whose page was closed', async () => {
      const [page, other] = [await open('one'), await open('two')]
      for (const each of [page, other]) await start(each, 'shared')
      await connect(other, 'wss://example.com/chat/x')
      await expect.poll(() => events(other)).toEqual(['open ', 'first of one in x'])
      await page.close()
      await expect.poll(() => events(other)).toEqual(['open ', 'first of one in x', 'error 3', 'close 1006  false'])
      await connect(other, 'wss://example.com/chat/x')
      await expect.poll(() => events(other)).toEqual(['open ', 'first of two in x'])
    })

    test.runIf(isMain)('new handlers take later connections, and the old ones keep theirs', async () => {
      const page = await openConnected()
      await at.served.project.write('src/mocks/handlers.js', handlers('second', at.real))
      try {
        await expect
          .poll(async () => {
            await connect(page, 'wss://example.com/chat/x', 'two')
            await expect.poll(() => events(page, 'two')).toHaveLength(2)
            return events(page, 'two')
          })
          .toEqual(['open ', 'second of one in x'])
        await inWorker(page, 'void one.socket.send("still here")')
        await expect.poll(async () => ((await events(page)) as string[]).at(-1)).toBe('still here')
      } finally {
        await at.served.project.write('src/mocks/handlers.js', handlers('first', at.real))
      }
    })

    test.runIf(isMain)('messages and questions of other shapes change nothing', async () => {
      const page = await open()
      await page.evaluate(`(() => {
        const { postMessage } = BroadcastChannel.prototype
        window.channels = []
        BroadcastChannel.prototype.postMessage = function (message) {
          if (this.name.startsWith('understudy:web-worker-socket:')) channels.push(this.name)
          return postMessage.call(this, message)
        }
      })()`)
      await start(page, 'classic')
      await connect(page, 'wss://example.com/chat/x')
      await expect.poll(() => events(page)).toHaveLength(2)
      await page.evaluate(`(() => {
        const channel = new BroadcastChannel(channels[0])
        const messages = [null, 1, 'text', {}, { type: 'send' }, { type: 'send', data: {} }, { type: 'close' },
          { type: 'close', code: '1', reason: '' }, { type: 'message' }, { type: 'message', data: 1 }, { type: 'open' },
          { type: 'received', bytes: 'x', buffered: 0 }, { type: 'close', code: 1, reason: null }, { type: '__proto__' }]
        for (const message of messages) channel.postMessage(message)
      })()`)
      const answers = await page.evaluate(`Promise.all([
        undefined, 'x', '{}', 'null', '[]', JSON.stringify({ channel: 'x', isLocked: false, url: 'wss://x', protocols: null, binaryType: 'blob' }),
        JSON.stringify({ channel: 'understudy:web-worker-socket:x', isLocked: false, url: 'https://x', protocols: null, binaryType: 'blob' }),
        JSON.stringify({ channel: 'understudy:web-worker-socket:x', isLocked: false, url: 'wss://x', protocols: [1], binaryType: 'blob' }),
      ].map(async (body) => (await fetch('/__understudy-worker-ws', { method: 'POST', body })).headers.get('understudy-web-socket')))`)
      expect(new Set(answers as unknown[])).toEqual(new Set(['unmocked']))
      // Requests of the app that contain the path are ordinary ones.
      const statuses = await page.evaluate(`Promise.all(['/none?to=', 'http://127.0.0.1:1'].map((start) =>
        fetch(start + '/__understudy-worker-ws').then(({ status }) => status, () => 'failed')))`)
      expect(statuses).toEqual([200, 'failed'])
      await inWorker(page, 'void one.socket.send("still here")')
      await expect.poll(() => events(page)).toEqual(['open ', 'first of one in x', 'still here'])
      expect(at.visits[0]?.errors).toEqual([])
    })

    test('a build has none of it, unless it is mocked', async () => {
      const build = async (plugin?: { enabled: true }): Promise<string> => {
        await tool.configure(at.served.project, plugin ? { plugin } : {})
        const { code, output } = await tool.build(at.served.project)
        expect(code, output).toBe(0)
        return readBuild(at.served.project)
      }
      const text = await build()
      expect(text).toContain('atStart')
      expect(text).not.toMatch(/understudy/i)
      expect(await build({ enabled: true })).toContain('understudy-web-socket')
      const preview = await tool.serve(at.served.project)
      try {
        const visit = await at.profile.openPage()
        at.visits.push(visit)
        await visit.page.goto(`${preview.origin}/?page=built`)
        await visit.page.waitForFunction('globalThis.create')
        for (const kind of kinds) {
          await start(visit.page, kind)
          await connect(visit.page, 'wss://example.com/chat/x')
          await expect.poll(() => events(visit.page)).toEqual(['open ', 'first of built in x'])
        }
      } finally {
        await preview.stop()
      }
    })
  })
}
