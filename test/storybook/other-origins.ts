import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

import type { Browser, Frame, Page } from 'playwright'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'

import { openVisit, type Visit } from '../acceptance/browser.ts'
import type { Extent } from '../acceptance/build-tool.ts'

const storyId = 'secrets--secret'

/** A file with a story whose request and response no other origin may read. */
export const secretsFile = 'src/components/Secrets.stories.tsx'
export const secrets = `import { http, HttpResponse } from '@understudy/engine'
import { useEffect, useState } from 'react'

function Shown() {
  const [text, setText] = useState('')
  useEffect(() => {
    fetch('/api/secret', { headers: { Authorization: ['Bearer', ['hush', 'header'].join('-')].join(' ') } })
      .then((response) => response.text())
      .then(setText, () => setText('refused'))
  }, [])
  return <p>{text}</p>
}

export default {
  title: 'Secrets',
  render: () => <Shown />,
}
export const Secret = {
  parameters: { handlers: [http.get('/api/secret', () => HttpResponse.text(['hush', 'body'].join('-')))] },
}
`

/** The messages that the attacker's page stored. */
const attackerPage = `<!doctype html><title>Attacker</title><script>
globalThis.heard = []
addEventListener('message', ({ data, origin }) => heard.push({ origin, text: typeof data === 'string' ? data : JSON.stringify(data) }))
</script>`

interface Shown {
  readonly browser: Browser
  /** The URL of a Storybook with {@link secrets}, with a slash at the end. */
  readonly root: string
}

/**
 * Tests that a page of another site, which shows a Storybook in a frame or in a new window, gets no data and cannot set overrides.
 *
 * @param extent `'main'` leaves out the pages of the manager, which is the same in development and in a build
 */
export function testOtherOrigins(getShown: () => Shown, extent: Extent = 'all'): void {
  describe('a page of another origin', () => {
    let attacker: Server
    let root: string
    let visit: Visit
    let page: Page

    beforeAll(async () => {
      attacker = createServer((_request, response) => {
        response.writeHead(200, { 'content-type': 'text/html' }).end(attackerPage)
      })
      await new Promise<void>((resolve) => {
        attacker.listen(0, '127.0.0.1', resolve)
      })
      ;({ root } = getShown())
      // During the first visit, the builder finds dependencies to optimize, and reloads the page.
      const first = await openVisit(getShown().browser)
      await first.page.goto(`${root}iframe.html?id=${storyId}&viewMode=story`)
      await first.page.getByText('hush-body').waitFor({ timeout: 60_000 })
      await first.close()
    })
    afterAll(() => {
      attacker.closeAllConnections()
      attacker.close()
    })

    beforeEach(async () => {
      visit = await openVisit(getShown().browser)
      page = visit.page
      // Another port of the same host: Storybook itself trusts that in development.
      await page.goto(`http://localhost:${(attacker.address() as AddressInfo).port}/`)
    })
    afterEach(async () => {
      await visit.close()
    })

    /** Shows a page of the Storybook in a frame of the attacker's page. */
    async function embed(path: string): Promise<Frame> {
      await page.evaluate((src) => {
        const frame = document.createElement('iframe')
        frame.src = src
        document.body.append(frame)
      }, root + path)
      await expect.poll(() => page.frames().length).toBeGreaterThan(1)
      return page.frames()[1] as Frame
    }

    /**
     * Sends a window all messages of a manager: over Storybook's channel, and like those of the addon.
     *
     * @param target an expression of the window
     */
    async function command(target: string, payloads: readonly [event: string, ...args: unknown[]][]): Promise<void> {
      await page.evaluate(
        ([to, messages]) => {
          // oxlint-disable-next-line no-eval -- the attacker's page is a test's
          const win = (0, eval)(to) as Window
          for (const [type, ...args] of messages) {
            const event = { type, args, from: 'attacker' }
            for (const data of [
              JSON.stringify({ key: 'storybook-channel', event }),
              { key: 'storybook-channel', event },
            ]) {
              win.postMessage(data, '*')
            }
            const [name] = type.split('/').slice(-1)
            win.postMessage({ understudy: name, event: name, type: name, payload: args[0] }, '*')
            win.postMessage({ 'understudy:storybook': name, payload: args[0] }, '*')
            win.postMessage(args[0], '*')
          }
        },
        [target, payloads] as const,
      )
    }

    const inspection = '@understudy/storybook-addon/inspection'
    const watch = { understudy: 'panel', type: 'watch', panel: 'attacker', network: null, whole: true }

    const heard = (): Promise<{ origin: string; text: string }[]> =>
      page.evaluate(() => (globalThis as unknown as { heard: { origin: string; text: string }[] }).heard)

    /** Returns the messages with data of the addon's networks. */
    async function leaks(): Promise<string[]> {
      const texts = (await heard()).map(({ text }) => text)
      return texts.filter((text) =>
        /hush-(?:header|body)|\\?"understudy\\?":|understudy:storybook|storybook-addon\/(?:inspection|report)/.test(
          text,
        ),
      )
    }

    const textOf = (frame: Frame): Promise<string> => frame.locator('#storybook-root').innerText()

    const statusIn = (frame: Frame): Promise<number> => frame.evaluate(async () => (await fetch('/api/secret')).status)

    test('that shows a story in a frame gets no data of its requests', async () => {
      const frame = await embed(`iframe.html?id=${storyId}&viewMode=story`)
      await command('frames[0]', [[inspection, watch]])
      await expect.poll(() => textOf(frame)).toBe('hush-body')
      await command('frames[0]', [[inspection, watch], ['@understudy/storybook-addon/request-reports']])
      await page.waitForTimeout(500)
      // With the received messages, it would request headers and bodies.
      const networks = (await heard()).flatMap(({ text }) => /"network\\?":\\?"([^"\\]+)/.exec(text)?.[1] ?? [])
      const requests = (await heard()).flatMap(({ text }) =>
        Array.from(text.matchAll(/"id\\?":\\?"([\w-]+)\\?"/g), ([, id]) => id as string),
      )
      for (const network of new Set(networks)) {
        for (const requestId of requests) {
          const message = { understudy: 'panel', type: 'command', network, call: requestId }
          await command('frames[0]', [[inspection, { ...message, command: { name: 'details', requestId } }]])
        }
      }
      await page.waitForTimeout(500)
      expect(await leaks()).toEqual([])
    })

    test('that shows a story in a frame cannot force a response, neither by messages nor by the address', async () => {
      const forced = encodeURIComponent(encodeURIComponent('story+GET+%2Fapi%2Fsecret=503'))
      const frame = await embed(`iframe.html?id=${storyId}&viewMode=story&understudy=${forced}`)
      await expect.poll(() => textOf(frame)).toBe('hush-body')
      expect(await statusIn(frame)).toBe(200)
      await command('frames[0]', [
        ['updateQueryParams', { understudy: 'story+GET+%2Fapi%2Fsecret=503' }],
        ['@understudy/storybook-addon/settings', 'story+GET+%2Fapi%2Fsecret=503'],
        ['updateGlobals', { globals: { understudyNetwork: 'errors' } }],
        ['forceRemount', { storyId }],
      ])
      await page.waitForTimeout(1000)
      // Between the end of a story and its next start, no handler answers.
      await expect.poll(() => statusIn(frame)).not.toBe(404)
      expect(await statusIn(frame)).toBe(200)
    })

    if (extent === 'main') return

    test('that shows the whole Storybook in a frame can force no response, and gets no data', async () => {
      const forced = encodeURIComponent('story+GET+%2Fapi%2Fsecret=503')
      await embed(`?path=/story/${storyId}&understudy=${forced}`)
      await expect.poll(() => page.frames().length).toBeGreaterThan(2)
      const preview = page.frames()[2] as Frame
      await expect.poll(() => textOf(preview)).toBe('hush-body')
      await command('frames[0].frames[0]', [[inspection, watch]])
      await command('frames[0]', [[inspection, watch]])
      await page.waitForTimeout(500)
      expect(await statusIn(preview)).toBe(200)
      expect(await leaks()).toEqual([])
    })

    test('that opens the Storybook in a new window can force no response, and gets no data', async () => {
      const [popup] = await Promise.all([
        visit.context.waitForEvent('page'),
        page.evaluate((url) => void Object.assign(globalThis, { popup: open(url) }), `${root}?path=/story/${storyId}`),
      ])
      const preview = popup.frameLocator('#storybook-preview-iframe')
      await expect.poll(() => preview.locator('#storybook-root').innerText()).toBe('hush-body')
      for (const target of ['popup', 'popup.frames[0]']) {
        await command(target, [
          [inspection, watch],
          ['updateQueryParams', { understudy: 'story+GET+%2Fapi%2Fsecret=503' }],
          ['@understudy/storybook-addon/settings', 'story+GET+%2Fapi%2Fsecret=503'],
          ['forceRemount', { storyId }],
        ])
      }
      await page.waitForTimeout(1000)
      const status = (): Promise<number> =>
        preview.locator('body').evaluate(async () => (await fetch('/api/secret')).status)
      await expect.poll(status).not.toBe(404)
      expect(await status()).toBe(200)
      expect(await leaks()).toEqual([])
    })

    test('a top-level window applies the overrides of a link, because no other page can see it', async () => {
      const forced = encodeURIComponent('story+GET+%2Fapi%2Fsecret=503')
      await page.goto(`${root}?path=/story/${storyId}&understudy=${forced}`)
      const preview = page.frameLocator('#storybook-preview-iframe')
      await expect.poll(() => preview.locator('#storybook-root').innerText()).toBe('hush-body')
      const status = await preview.locator('body').evaluate(async () => (await fetch('/api/secret')).status)
      expect(status).toBe(503)
    })
  })
}
