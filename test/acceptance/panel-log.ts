import type { Locator } from 'playwright'
import { describe, expect, test } from 'vitest'

import type { BuildTool, Extent } from './build-tool.ts'
import { backendAnswer } from './counting-backend.ts'
import { openPanelLog } from './open-panel-log.ts'
import { testPanelLogBodies } from './panel-log-bodies.ts'
import { testPanelLogConnections } from './panel-log-connections.ts'
import { seenPlaces, watchPlaces } from './panel-parts.ts'

/** Tests the log of the panel: pending requests, errors, edited responses, bodies, open connections and unhandled requests. */
export function testPanelLog(tool: BuildTool, extent: Extent = 'all'): void {
  describe(`${tool.name}, the log of the panel`, () => {
    const log = openPanelLog(tool)
    const { served, handlersFile, ask, tab, options, fact } = log

    testPanelLogConnections(log, extent)

    test('a request is shown while its resolver runs, with the elapsed time', async () => {
      void log.app.page.evaluate('void ask("/api/hang")')
      await options(/\/api\/hang/).click()
      await fact('Outcome').getByText("Pending: a handler's resolver is running").waitFor()
      await fact('Handler').getByText('GET /api/hang').waitFor()
      const timing = (): Promise<string | null> => fact('Timing').textContent()
      const first = await timing()
      expect(first).toContain('pending for')
      await expect.poll(timing).not.toBe(first)
      await log.panel.getByRole('combobox', { name: 'Outcome' }).selectOption('Pending')
      await expect.poll(() => options(/./).count()).toBe(1)
      await tab('Handlers').click()
      const handler = log.panel
        .getByRole('listitem')
        .filter({ has: log.panel.getByRole('switch', { name: 'GET /api/hang' }) })
      await handler.getByText('pending', { exact: true }).waitFor()
      expect(await handler.textContent()).toContain('no answer')
    })

    test('the error of a resolver is shown with the developer’s lines', async () => {
      expect((await ask('/api/broken'))[0]).toBe(500)
      await log.panel.evaluate(watchPlaces)
      await options(/\/api\/broken/).click()
      const error = log.panel.getByRole('region', { name: 'Error' })
      await error.getByText('No such user').first().waitFor()
      await expect.poll(() => error.textContent()).toContain('at findUser')
      await expect.poll(() => error.textContent()).toContain(`${handlersFile.slice(4)}:11`)
      await expect.poll(() => error.textContent()).toContain(`${handlersFile.slice(4)}:17`)
      const excerpt = error.getByRole('group', { name: 'Code that threw' })
      await expect
        .poll(() => excerpt.textContent())
        .toMatch(
          /^ +9 \|\n +10 \| function findUser\(\).* \{\n> 11 \|   throw new TypeError\('No such user'\)(?:\n +\| {9}\^)?\n +12 \| \}/,
        )
      // No position in the code that the browser got, not even for a moment.
      expect(await log.panel.evaluate(seenPlaces)).toEqual(
        [11, 17].map((line) => `Open ${handlersFile}:${line} in the editor`),
      )
      const frames = (): Promise<number> => error.getByRole('listitem').count()
      const own = await frames()
      await error.getByRole('button', { name: /^Show \d+ frames of Understudy/ }).click()
      expect(await frames()).toBeGreaterThan(own)
      // A value that is not an error has no stack: the code of the handler is shown.
      await ask('/api/text-thrown')
      await options(/\/api\/text-thrown/).click()
      await error.getByText('sold out', { exact: true }).or(error.getByText('Error: sold out')).waitFor()
      await expect.poll(() => excerpt.textContent()).toContain("http.get('/api/text-thrown'")
      expect(await frames()).toBe(0)
      await ask('/api/empty')
      await options(/\/api\/empty/).click()
      await log.panel.getByText('The body is empty.').waitFor()
    })

    test('a response is edited for the next requests, and marked until it is reset', async () => {
      await ask('/api/user')
      // The bodies of the first request, from before the panel was open, are not kept.
      const asked = options(/^200.*\/api\/user/)
      await expect.poll(() => asked.count()).toBe(2)
      await asked.first().click()
      await log.panel.getByText('"Ada"').waitFor()
      await log.panel.getByRole('button', { name: 'Edit response' }).click()
      const editor = log.panel.getByRole('region', { name: 'Edit the response of GET /api/user' })
      expect(await editor.getByLabel('Body').inputValue()).toBe('{\n  "name": "Ada"\n}')
      await editor.getByRole('combobox', { name: 'Status' }).selectOption('201 Created')
      const headers = editor.getByLabel('Headers')
      await headers.fill(`${await headers.inputValue()}\nx edited`)
      await editor.getByLabel('Body').fill('{ "name": "<b>Grace</b>" }')
      await editor.getByRole('button', { name: 'Apply' }).click()
      await editor.getByRole('alert').getByText('"x edited" is not a header').waitFor()
      await headers.fill((await headers.inputValue()).replace('x edited', 'x-edited: yes'))
      await editor.getByRole('button', { name: 'Apply' }).click()
      await editor.waitFor({ state: 'detached' })

      const askEdited = (): Promise<unknown> =>
        log.app.page.evaluate(
          `fetch('/api/user').then(async (r) => [r.status, r.headers.get('content-type'), r.headers.get('x-edited'), await r.text()])`,
        )
      const edited = [201, 'application/json', 'yes', '{ "name": "<b>Grace</b>" }']
      await expect.poll(askEdited).toEqual(edited)
      await options(/^201\s*edited GET \/api\/user/)
        .first()
        .click()
      await fact('Outcome').getByText('with an edited response: 201').waitFor()
      expect(await log.panel.locator('.us-detail b').count()).toBe(0)

      // The switches of handlers survive a reload of the app and of the panel, and so does the edit.
      await log.app.page.reload()
      await expect.poll(askEdited).toEqual(edited)
      await log.panel.reload()
      await tab('Handlers').click()
      const row = log.panel
        .getByRole('listitem')
        .filter({ has: log.panel.getByRole('switch', { name: 'GET /api/user', exact: true }) })
      await row.getByText('edited response').waitFor()
      await row.getByRole('button', { name: 'Force an answer of GET /api/user' }).click()
      await row.getByRole('button', { name: 'Edit response' }).click()
      await expect.poll(() => row.getByLabel('Body').inputValue()).toBe('{\n  "name": "<b>Grace</b>"\n}')
      await row.getByLabel('Body').fill('{')
      await row.getByText('The body is not valid JSON.').waitFor()
      await row.getByRole('button', { name: 'Cancel' }).click()
      await row.getByRole('button', { name: 'Reset GET /api/user' }).click()
      await expect.poll(askEdited).toEqual([200, 'application/json', null, '{"name":"Ada"}'])
      expect(await row.getByText('edited response').count()).toBe(0)
    })

    // What follows is code of the panel, which is the same with each build tool.
    if (extent === 'main') return

    testPanelLogBodies(log)

    test('a resolver that returned no response is named, and warned about once', async () => {
      const warnings: string[] = []
      log.app.page.on('console', (message) => {
        if (message.type() === 'warning') warnings.push(message.text())
      })
      expect(await ask('/api/forgotten')).toEqual([200, JSON.stringify(backendAnswer)])
      await ask('/api/forgotten')
      await options(/\/api\/forgotten/)
        .first()
        .click()
      await fact('Outcome').getByText('the resolver returned no response').waitFor()
      await fact('No response').getByText('GET /api/forgotten').waitFor()
      // The next handler answers, so this one may only log the request.
      expect(await ask('/api/logged')).toEqual([200, '{"name":"Ada"}'])
      await options(/\/api\/logged/).click()
      await fact('No response').getByText('GET /api/logged').waitFor()
      expect(warnings.filter((text) => text.includes('returned no response'))).toEqual([
        expect.stringContaining('/api/forgotten'),
      ])
    })

    test('a forced response is marked, in the list and in the details', async () => {
      await tab('Handlers').click()
      await log.panel.getByRole('button', { name: 'Force an answer of GET /api/user' }).click()
      await log.panel
        .getByRole('combobox', { name: 'Forced answer of GET /api/user' })
        .selectOption('503 Service Unavailable')
      await expect.poll(async () => (await ask('/api/user'))[0]).toBe(503)
      await tab('Requests').click()
      const line = options(/^503\s*forced GET \/api\/user/).first()
      await line.click()
      await fact('Outcome').getByText('with a forced status: 503').waitFor()
    })

    async function untilAnswered(text: string): Promise<void> {
      await expect.poll(async () => (await ask('/api/user'))[1]).toBe(text)
    }

    test.each([
      ['a request', 'a reload of the app'],
      ['a request', 'an edit of the handlers'],
      ['a handler', 'an edit of the handlers'],
      ['a handler', 'a reload of the app'],
      ['a request', 'a visit of another tab of the panel'],
      ['a handler', 'a visit of another tab of the panel'],
    ])('the text of a response that is edited at %s survives %s', async (where, change) => {
      if (where === 'a request') {
        await options(/\/api\/user/)
          .first()
          .click()
      } else {
        await tab('Handlers').click()
        await log.panel.getByRole('button', { name: 'Force an answer of GET /api/user' }).click()
      }
      await log.panel.getByRole('button', { name: 'Edit response' }).click()
      const editor = log.panel.getByRole('textbox', { name: 'Body' })
      await editor.fill('{"name":"Grace"}')
      if (change === 'a reload of the app') {
        await log.app.page.reload()
        await log.app.page.waitForFunction('window.ask')
      } else if (change === 'a visit of another tab of the panel') {
        await tab('Unhandled').click()
        await editor.waitFor({ state: 'detached' })
        await tab(where === 'a request' ? 'Requests' : 'Handlers').click()
      } else {
        await served.project.edit(handlersFile, "name: 'Ada' }", "name: 'Eve' }")
        await untilAnswered('{"name":"Eve"}')
        await served.project.edit(handlersFile, "name: 'Eve' }", "name: 'Ada' }")
      }
      await untilAnswered('{"name":"Ada"}')
      expect(await editor.inputValue()).toBe('{"name":"Grace"}')
      await log.panel.getByRole('button', { name: 'Apply' }).click()
      await untilAnswered('{"name":"Grace"}')
    })

    test('unhandled requests are filtered, ignored and cleared, and leave the list when a handler answers them', async () => {
      await tab('Handlers').click()
      await log.panel.getByRole('switch', { name: 'GET /api/user' }).click()
      await expect.poll(async () => (await ask('/api/user'))[1]).toBe(JSON.stringify(backendAnswer))
      await ask('/api/other')
      await tab('Unhandled').click()
      const unhandled = (path: string): Locator =>
        log.panel
          .getByRole('list', { name: 'Requests that no handler matched' })
          .getByRole('heading')
          .filter({ hasText: path })
      await unhandled('/api/user').waitFor()
      const filter = log.panel.getByRole('searchbox', { name: 'Filter unhandled requests' })
      await filter.fill('get -user')
      await unhandled('/api/user').waitFor({ state: 'detached' })
      await unhandled('/api/other').waitFor()
      await filter.fill('')
      await log.panel.getByRole('button', { name: 'Ignore GET /api/other' }).click()
      await unhandled('/api/other').waitFor({ state: 'detached' })
      await log.panel.getByRole('button', { name: 'Show ignored' }).click()
      await unhandled('/api/other').waitFor()
      await log.panel.getByRole('button', { name: 'Clear the list of unhandled requests' }).click()
      await log.panel.getByText('No unhandled requests').waitFor()
      // A request that is made again is unhandled again.
      await ask('/api/other')
      await ask('/api/user')
      await unhandled('/api/other').waitFor()
      await log.panel.getByRole('button', { name: 'Switch on GET /api/user' }).first().click()
      await expect.poll(async () => (await ask('/api/user'))[1]).toBe('{"name":"Ada"}')
      await unhandled('/api/user').waitFor({ state: 'detached' })
    })

    test('a request is copied as cURL and as a call of fetch, and its response as a handler', async () => {
      await log.app.context.grantPermissions(['clipboard-read', 'clipboard-write'])
      // The row of an earlier request without the query may be on top until the panel gets the new one.
      await ask('/api/user?copied')
      await options(/^200.*\/api\/user\?copied/).click()
      await log.panel.getByText('"Ada"').waitFor()
      const copied = (): Promise<string> => log.panel.evaluate(() => navigator.clipboard.readText())
      await log.panel.getByRole('button', { name: 'Copy the request as cURL' }).click()
      await expect.poll(copied).toContain(`curl '${served.server.origin}/api/user?copied'`)
      await log.panel.getByRole('button', { name: 'Copy the request as fetch' }).click()
      await expect.poll(copied).toContain('fetch(')
      expect(
        await log.app.page.evaluate(`(async () => { const { status } = ${await copied()}; return status })()`),
      ).toBe(200)
      await log.panel.getByRole('button', { name: 'Copy the response as a handler' }).click()
      await expect.poll(copied).toBe(`http.get('/api/user', () => HttpResponse.json({\n  "name": "Ada"\n})),`)
    })
  })
}
