import { readFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname, join } from 'node:path'

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'

import { formatState, type PlaygroundState } from '../../site/playground/state.ts'
import { waitUntil, type BrowserDriver, type TestBrowser, type TestVisit } from './test-browser.ts'

const types: Readonly<Record<string, string>> = {
  '.css': 'text/css',
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.woff2': 'font/woff2',
}

/**
 * Tests the playground of the built site on a static host.
 *
 * @param folder the folder of the site, built for the base `/understudy/`
 */
export function testPlayground(folder: string, driver: BrowserDriver): void {
  describe(`the playground in ${driver.name}`, () => {
    let server: Server
    let site: string
    let browser: TestBrowser
    let visit: TestVisit

    beforeAll(async () => {
      server = createServer((request, response) => {
        const path = new URL(request.url ?? '', 'http://site.test').pathname.replace(/^\/understudy\//, '')
        readFile(join(folder, path)).then(
          (content) => {
            response.setHeader('Content-Type', types[extname(path)] ?? 'application/octet-stream')
            response.end(content)
          },
          () => {
            response.statusCode = 404
            response.end()
          },
        )
      })
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
      site = `http://localhost:${(server.address() as AddressInfo).port}/understudy/`
      browser = await driver.launch()
    })
    afterAll(async () => {
      await browser.close()
      server.close()
    })
    beforeEach(async () => {
      visit = await browser.openVisit()
    })
    afterEach(() => visit.close())

    /** Opens the playground with a link. Resolves when the handlers have run. */
    async function open(state?: PlaygroundState): Promise<void> {
      await visit.page.goto(`${site}playground.html${state ? `#${formatState(state)}` : ''}`)
      await expectShown('.pg-status', 'Mocking is on')
    }
    /** Waits for a text, and ignores its line breaks. */
    const expectShown = (selector: string, text: string): Promise<void> =>
      waitUntil(
        visit.page,
        `document.querySelector('${selector}')?.innerText.replaceAll('\\n', '').includes(${JSON.stringify(text.replaceAll('\n', ''))})`,
      )
    const send = (): Promise<void> => visit.click(`document.querySelector('.pg-send')`)

    async function choose(example: string): Promise<void> {
      await visit.page.evaluate((name) => {
        const choice = document.querySelector<HTMLSelectElement>('.pg-example')
        if (!choice) throw new Error('There is no choice of examples.')
        choice.value = name
        choice.dispatchEvent(new Event('change', { bubbles: true }))
      }, example)
      await expectShown('.pg-status', 'Handlers: 1.')
    }

    test('the bar of a page has its links or its menu in the window, whatever its width is', async () => {
      await visit.page.goto(`${site}vite.html`)
      const cut = await visit.page.evaluate(async () => {
        const frame = document.body.appendChild(document.createElement('iframe'))
        const loaded = new Promise((resolve) => frame.addEventListener('load', resolve, { once: true }))
        frame.src = location.href
        await loaded
        return [360, 767, 768, 960, 1099, 1100, 1280].filter((width) => {
          frame.style.width = `${width}px`
          const parts = frame.contentDocument?.querySelectorAll('.VPNavBar .content-body > *') ?? []
          const shown = [...parts].map((part) => part.getBoundingClientRect()).filter((box) => box.width > 0)
          return shown.length < 2 || shown.some((box) => box.right > width)
        })
      }, undefined)
      expect(cut).toEqual([])
    })

    test('the examples of the other protocols are answered, and the panel shows their handlers', async () => {
      await open()
      for (const [example, answer, header] of [
        ['XMLHttpRequest', '{"saved":["theme"]}', 'PUT'],
        ['GraphQL', '{"data":{"user":{"name":"Ada"}}}', 'GetUser'],
        ['Server-sent events', '3\n2\n1\nLiftoff', '/api/news'],
        ['WebSocket', 'You said: Hello', 'chat.example.com'],
      ] as const) {
        await choose(example)
        // The status of the previous example is the same.
        await expectShown('.pg-panel', header)
        await send()
        await expectShown('.pg-answer', answer)
        await expectShown('.pg-panel', '1 hit')
        expect(visit.errors, example).toEqual([])
      }
    })

    test('the first example is answered, and the panel names the line of its handler', async () => {
      await open()
      await send()
      await expectShown('.pg-answer', '{"id":"5","name":"Ada"}')
      await expectShown('.pg-panel', 'handlers.ts:9')
    })

    test('a link contains handlers and a request', async () => {
      await open({
        code: `import { http, HttpResponse } from '@understudy/engine'\nexport default [http.put('/a', () => HttpResponse.text('ä from the link'))]`,
        request: { kind: 'fetch', method: 'PUT', url: '/a', body: 'text' },
      })
      await send()
      await expectShown('.pg-answer', 'ä from the link')
    })

    test.each([
      ['a syntax error', `export const handlers = [\n  http.get(`, 'Line 2: Failed to read the handlers'],
      [
        'an error of the code',
        `import { http } from '@understudy/engine'\n\nexport const handlers = [missing]`,
        'Line 3: missing is not defined',
      ],
      ['no handlers', `export const other = []`, 'it exports "other", but no handlers'],
      ['a package that is not there', `import 'axios'`, 'Failed to import "axios"'],
    ])('%s is shown', async (_name, code, message) => {
      const request = { kind: 'fetch', method: 'GET', url: '/a', body: '' } as const
      await visit.page.goto(`${site}playground.html#${formatState({ code, request })}`)
      await expectShown('.pg-error', message)
      await expectShown('.pg-status', 'The handlers have an error')
    })

    test('a request without a handler fails, and the panel suggests the nearest handler', async () => {
      await open({
        code: `import { http, HttpResponse } from '@understudy/engine'\nexport const handlers = [http.get('/users', () => HttpResponse.json([]))]`,
        request: { kind: 'fetch', method: 'GET', url: '/user', body: '' },
      })
      await send()
      await expectShown('.pg-answer', 'TypeError')
      await visit.click(
        `[...document.querySelectorAll('.pg-panel button')].find((tab) => tab.textContent.startsWith('Unhandled'))`,
      )
      await expectShown('.pg-panel', '/users')
    })

    test('the code of a link cannot access the storage and the pages of the site', async () => {
      const attempts = ['localStorage.length', 'document.cookie', 'parent.document.title', 'top.location.href']
      const code = `const seen = []
for (const attempt of [${attempts.map((attempt) => `() => ${attempt}`).join()}]) {
  try { seen.push('allowed: ' + attempt()) } catch (error) { seen.push(error.message) }
}
throw new Error(JSON.stringify(seen))`
      const request = { kind: 'fetch', method: 'GET', url: '/a', body: '' } as const
      await visit.page.goto(`${site}playground.html#${formatState({ code, request })}`)
      await expectShown('.pg-status', 'The handlers have an error')
      const text = String(await visit.page.evaluate(`document.querySelector('.pg-error').innerText`))
      const seen = JSON.parse(text.slice(text.indexOf('['), text.lastIndexOf(']') + 1)) as string[]
      expect(seen).toEqual(
        attempts.map(() => expect.stringMatching(/cross-origin|insecure|sandboxed|denied|Permission/i) as unknown),
      )
    })

    // What follows is the code of the site, whatever the browser is.
    if (driver.name !== 'Chromium') return

    test('an edit changes the link', async () => {
      await open()
      const before = await visit.page.evaluate('location.hash')
      await choose('GraphQL')
      const link = String(await visit.page.evaluate('location.href'))
      expect(new URL(link).hash).not.toBe(before)
      await visit.close()
      visit = await browser.openVisit()
      await visit.page.goto(link)
      await expectShown('.pg-status', 'Mocking is on')
      await send()
      await expectShown('.pg-answer', '"user":{"name":"Ada"}')
    })

    test('an example of a guide opens in the playground', async () => {
      await visit.page.goto(`${site}recipes/by-url.html`)
      await waitUntil(visit.page, `document.querySelector('.open-in-playground')`)
      await visit.click(`document.querySelector('.open-in-playground')`)
      await expectShown('.pg-status', 'Mocking is on')
      await expectShown('.pg-editor', '@understudy/engine')
    })
  })
}
