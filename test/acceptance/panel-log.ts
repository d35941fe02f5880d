import type { Locator, Page } from 'playwright'
import { beforeEach, describe, expect, test } from 'vitest'

import type { Visit } from './browser.ts'
import type { BuildTool, Extent } from './build-tool.ts'
import { backendAnswer } from './counting-backend.ts'
import { createPanelLogApp } from './panel-log-app.ts'
import { seenPlaces, watchPlaces } from './panel-parts.ts'
import { serveApp } from './serve-app.ts'

/** Tests pending requests, open connections and errors in the panel. */
export function testPanelLog(tool: BuildTool, extent: Extent = 'all'): void {
  describe(`${tool.name}, the log of the panel`, () => {
    const { handlersFile, files } = createPanelLogApp(tool)
    const served = serveApp(tool, files)
    let app: Visit
    let panel: Page

    beforeEach(async () => {
      app = await served.openApp()
      await ask('/api/user')
      panel = await served.openPanel(app)
      await tab('Requests').click()
      await options(/\/api\/user/)
        .first()
        .waitFor()
    })

    const ask = (path: string): Promise<[status: number, text: string]> => app.page.evaluate(`ask('${path}')`)
    const tab = (name: string): Locator => panel.getByRole('tab', { name })
    const options = (name: RegExp): Locator =>
      panel.getByRole('listbox', { name: 'Requests' }).getByRole('option', { name })
    const fact = (name: string): Locator =>
      panel.locator('.us-detail .us-fact').filter({ has: panel.locator('dt', { hasText: name }) })

    test('a request is shown while its resolver runs, with the elapsed time', async () => {
      void app.page.evaluate('void ask("/api/hang")')
      await options(/\/api\/hang/).click()
      await fact('Outcome').getByText('Pending: the resolver of a handler runs').waitFor()
      await fact('Handler').getByText('GET /api/hang').waitFor()
      const timing = (): Promise<string | null> => fact('Timing').textContent()
      const first = await timing()
      expect(first).toContain('pending for')
      await expect.poll(timing).not.toBe(first)
      await panel.getByRole('combobox', { name: 'Outcome' }).selectOption('Pending')
      await expect.poll(() => options(/./).count()).toBe(1)
      await tab('Handlers').click()
      const handler = panel.getByRole('listitem').filter({ has: panel.getByRole('switch', { name: 'GET /api/hang' }) })
      await handler.getByText('pending', { exact: true }).waitFor()
      expect(await handler.textContent()).toContain('no answer')
    })

    test('the error of a resolver is shown with the developer’s lines', async () => {
      expect((await ask('/api/broken'))[0]).toBe(500)
      await panel.evaluate(watchPlaces)
      await options(/\/api\/broken/).click()
      const error = panel.getByRole('region', { name: 'Error' })
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
      expect(await panel.evaluate(seenPlaces)).toEqual(
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
      await panel.getByText('The body is empty.').waitFor()
    })

    test('a response is edited for the next requests, and marked until it is reset', async () => {
      await ask('/api/user')
      // The bodies of the first request, from before the panel was open, are not kept.
      const asked = options(/^200.*\/api\/user/)
      await expect.poll(() => asked.count()).toBe(2)
      await asked.first().click()
      await panel.getByText('"Ada"').waitFor()
      await panel.getByRole('button', { name: 'Edit response' }).click()
      const editor = panel.getByRole('region', { name: 'Edit the response of GET /api/user' })
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
        app.page.evaluate(
          `fetch('/api/user').then(async (r) => [r.status, r.headers.get('content-type'), r.headers.get('x-edited'), await r.text()])`,
        )
      const edited = [201, 'application/json', 'yes', '{ "name": "<b>Grace</b>" }']
      await expect.poll(askEdited).toEqual(edited)
      await options(/^201\s*edited GET \/api\/user/)
        .first()
        .click()
      await fact('Outcome').getByText('with an edited response: 201').waitFor()
      expect(await panel.locator('.us-detail b').count()).toBe(0)

      // The switches of handlers survive a reload of the app and of the panel, and so does the edit.
      await app.page.reload()
      await expect.poll(askEdited).toEqual(edited)
      await panel.reload()
      await tab('Handlers').click()
      const row = panel
        .getByRole('listitem')
        .filter({ has: panel.getByRole('switch', { name: 'GET /api/user', exact: true }) })
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

    test('a WebSocket connection has a row and its messages, and the panel can send a message', async () => {
      await app.page.evaluate('chat()')
      await options(/^open WS .*chat\.test\/room/).click()
      const detail = panel.getByRole('region', { name: 'WebSocket wss://chat.test/room' })
      const messages = detail.getByRole('region', { name: 'Messages' }).getByRole('listitem')
      await expect
        .poll(() => messages.allTextContents())
        .toEqual([expect.stringMatching(/^↓echo <b>hi<\/b>/), expect.stringMatching(/^↑<b>hi<\/b>/)])
      expect(await detail.locator('b').count()).toBe(0)
      await detail.getByRole('searchbox', { name: 'Message to the app' }).fill('by hand')
      await panel.keyboard.press('Enter')
      await expect.poll(() => app.page.evaluate('received')).toEqual(['echo <b>hi</b>', 'by hand'])
      await expect.poll(() => messages.count()).toBe(3)
      await app.page.evaluate('socket.send(Uint8Array.of(0, 15, 255))')
      await messages.filter({ hasText: /^↑Binary message 00 0f ff3 B/ }).waitFor()
      await app.page.evaluate('socket.close()')
      await options(/^1000 WS/).waitFor()
      expect(await detail.getByRole('searchbox').count()).toBe(0)
    })

    // What follows is code of the panel, which is the same with each build tool.
    if (extent === 'main') return

    test('a resolver that returned no response is named, and warned about once', async () => {
      const warnings: string[] = []
      app.page.on('console', (message) => {
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

    test.each([
      ['/api/real', 'network'],
      ['/api/unknown', 'no mock'],
    ])('the response of the network is shown: %s', async (path, word) => {
      expect(await ask(path)).toEqual([200, JSON.stringify(backendAnswer)])
      await options(new RegExp(`^${word} 200\\s*GET ${path}`))
        .first()
        .click()
      await fact('Outcome').getByText('which answered 200').waitFor()
      const response = panel.getByRole('region', { name: 'Response' })
      await response.getByText(Object.keys(backendAnswer)[0] as string).waitFor()
      await response.getByText('Headers').click()
      expect(await response.textContent()).toContain('content-type')
    })

    test('a form is shown by its parts, and the URL as browsers show it', async () => {
      await app.page.evaluate(`(() => {
        const form = new FormData()
        form.append('title', 'Käse')
        form.append('photo', new File([new Uint8Array([137, 80, 0, 255])], 'katze.png', { type: 'image/png' }))
        return ask('/api/b%C3%BCcher/a%2Fb', { method: 'POST', body: form })
      })()`)
      const search = panel.getByRole('searchbox', { name: 'Filter requests' })
      await search.fill('bücher')
      await options(/POST \/api\/bücher\/a%2Fb/)
        .first()
        .click()
      const request = panel.getByRole('region', { name: 'Request', exact: true })
      await request.getByText('image/png').waitFor()
      expect(await request.textContent()).toMatch(/title.*5 B.*Käse.*photo.*katze\.png · image\/png · 4 B · binary/s)
      await search.fill('')
    })

    test('a forced response is marked, in the list and in the details', async () => {
      await tab('Handlers').click()
      await panel.getByRole('button', { name: 'Force an answer of GET /api/user' }).click()
      await panel
        .getByRole('combobox', { name: 'Forced answer of GET /api/user' })
        .selectOption('503 Service Unavailable')
      await expect.poll(async () => (await ask('/api/user'))[0]).toBe(503)
      await tab('Requests').click()
      const line = options(/^503\s*forced GET \/api\/user/).first()
      await line.click()
      await fact('Outcome').getByText('with a forced status: 503').waitFor()
    })

    test('the search finds text in headers and bodies, and says where', async () => {
      await app.page.evaluate(
        `ask('/api/real', { method: 'POST', headers: { 'x-trace': 'zebra-1' }, body: 'a <b>giraffe</b> b' })`,
      )
      await app.page.evaluate('chat()')
      await ask('/api/user')
      await options(/WS .*chat\.test/).waitFor()
      const search = panel.getByRole('searchbox', { name: 'Filter requests' })
      await search.fill('ADA')
      await options(/\/api\/user.*response body.*"Ada"/)
        .first()
        .waitFor()
      expect(await panel.locator('.us-mark').first().textContent()).toBe('Ada')
      expect(await options(/\/api\/real/).count()).toBe(0)
      await search.fill('zebra giraffe')
      await options(/\/api\/real.*request headers.*x-trace: zebra-1.*request body.*a <b>giraffe<\/b> b/).waitFor()
      expect(await options(/./).count()).toBe(1)
      expect(await panel.locator('.us-hint b').count()).toBe(0)
      await search.fill('echo')
      await options(/WS .*messages.*echo/).waitFor()
      // A request that comes later is searched, too.
      await search.fill('walrus')
      await panel.getByText('No request fits the filter').waitFor()
      await app.page.evaluate(`ask('/api/real', { method: 'POST', body: 'walrus' })`)
      await options(/request body.*walrus/).waitFor()
    })

    test('JSON of more than 1 MB is a tree of few elements, and is searched', async () => {
      const text = (await ask('/api/large'))[1]
      expect(text.length).toBeGreaterThan(1_000_000)
      await options(/\/api\/large/).click()
      const response = panel.getByRole('region', { name: 'Response' })
      await response.getByRole('button', { name: '7900 more' }).waitFor()
      const elements = (): Promise<number> => panel.locator('.us-tree *').count()
      expect(await elements()).toBeLessThan(2000)
      const search = response.getByRole('searchbox', { name: 'Search the response body' })
      await search.fill('USER7999@')
      await response.getByText('1 match', { exact: true }).waitFor()
      await response.getByText('"user7999@example.test"').waitFor()
      expect(await response.locator('.us-tree-leaf').count()).toBe(1)
      await search.fill('user')
      await response.getByText('16000 matches', { exact: true }).waitFor()
      expect(await elements()).toBeLessThan(2000)
      await search.fill('stranger')
      await response.getByText('0 matches', { exact: true }).waitFor()
      expect(await elements()).toBe(0)
      await response.getByRole('button', { name: 'Raw' }).click()
      await response.getByText('50,000 of').waitFor()
      const raw = response.getByRole('group', { name: 'Response body' })
      expect(await raw.textContent()).toBe(text.slice(0, 50_000))
      await response.getByRole('button', { name: 'Show more' }).click()
      await expect.poll(async () => (await raw.textContent())?.length).toBe(100_000)
    })

    test('a GraphQL request shows its operation and the errors of its response', async () => {
      const query = (text: string): Promise<unknown> =>
        app.page.evaluate(
          `ask('/graphql', { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"query":"${text}"}' })`,
        )
      await query('query ListReviews { reviews { id } }')
      await query('mutation AddReview { addReview { id } }')
      await app.page.evaluate(
        `ask('/graphql', { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify([
          { query: 'query ListReviews { reviews { id } }' }, { query: 'mutation AddReview { addReview { id } }' }]) })`,
      )
      await options(/^200\s*POST 2 errors batch query ListReviews, mutation AddReview \/graphql/).waitFor()
      await options(/^200\s*POST mutation AddReview \/graphql/).waitFor()
      await options(/^200\s*POST 2 errors query ListReviews \/graphql/).click()
      await expect
        .poll(() => fact('GraphQL error').allTextContents())
        .toEqual(['GraphQL errorNot <b>allowed</b>', 'GraphQL errorGone'])
      expect(await panel.locator('.us-detail b').count()).toBe(0)
      await panel.getByRole('combobox', { name: 'Outcome' }).selectOption('Errors')
      await expect.poll(() => options(/./).count()).toBe(2)
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
        await panel.getByRole('button', { name: 'Force an answer of GET /api/user' }).click()
      }
      await panel.getByRole('button', { name: 'Edit response' }).click()
      const editor = panel.getByRole('textbox', { name: 'Body' })
      await editor.fill('{"name":"Grace"}')
      if (change === 'a reload of the app') {
        await app.page.reload()
        await app.page.waitForFunction('window.ask')
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
      await panel.getByRole('button', { name: 'Apply' }).click()
      await untilAnswered('{"name":"Grace"}')
    })

    test('the events of a stream are rows, and appear while the stream is open', async () => {
      await app.page.evaluate(`void (window.source = new EventSource('/api/events'))`)
      await options(/\/api\/events/).click()
      const detail = panel.getByRole('region', { name: /^GET .*\/api\/events$/ })
      const events = detail.getByRole('list', { name: 'Events' }).getByRole('listitem')
      await expect
        .poll(() => events.allTextContents())
        .toEqual([
          expect.stringMatching(/^↓{"name":"Ada"}joined #514 B\d\d:\d\d:\d\d\.\d{3}$/),
          expect.stringMatching(/^↓<b>first<\/b>message12 B\d\d:\d\d:\d\d\.\d{3}$/),
        ])
      expect(await detail.locator('b').count()).toBe(0)
      await app.page.evaluate(`sendEvent('third')`)
      await expect.poll(() => events.first().textContent()).toMatch(/^↓thirdmessage5 B\d/)
      await detail.getByRole('button', { name: 'Raw' }).click()
      await detail.getByText('data: third').waitFor()
      await detail.getByRole('button', { name: 'Raw' }).click()

      await app.page.evaluate(`
    window.received = []
    source.onmessage = ({ data }) => received.push(data)
    source.addEventListener('left', ({ data }) => received.push('left: ' + data))
  `)
      await detail.getByRole('searchbox', { name: 'Data of the event' }).fill('by hand')
      await panel.keyboard.press('Enter')
      await expect.poll(() => app.page.evaluate('received')).toEqual(['by hand'])
      await detail.getByRole('searchbox', { name: 'Type of the event' }).fill('left')
      await detail.getByRole('searchbox', { name: 'Data of the event' }).fill('Ada')
      await detail.getByRole('button', { name: 'Send' }).click()
      await expect.poll(() => app.page.evaluate('received')).toEqual(['by hand', 'left: Ada'])
      await expect.poll(() => events.first().textContent()).toMatch(/^↓Adaleft3 B/)
      await app.page.evaluate('endEvents()')
      await expect.poll(() => detail.getByRole('searchbox').count()).toBe(0)
    })

    test('unhandled requests are filtered, ignored and cleared, and leave the list when a handler answers them', async () => {
      await tab('Handlers').click()
      await panel.getByRole('switch', { name: 'GET /api/user' }).click()
      await expect.poll(async () => (await ask('/api/user'))[1]).toBe(JSON.stringify(backendAnswer))
      await ask('/api/other')
      await tab('Unhandled').click()
      const unhandled = (path: string): Locator =>
        panel
          .getByRole('list', { name: 'Requests that no handler matched' })
          .getByRole('heading')
          .filter({ hasText: path })
      await unhandled('/api/user').waitFor()
      const filter = panel.getByRole('searchbox', { name: 'Filter unhandled requests' })
      await filter.fill('get -user')
      await unhandled('/api/user').waitFor({ state: 'detached' })
      await unhandled('/api/other').waitFor()
      await filter.fill('')
      await panel.getByRole('button', { name: 'Ignore GET /api/other' }).click()
      await unhandled('/api/other').waitFor({ state: 'detached' })
      await panel.getByRole('button', { name: 'Show ignored' }).click()
      await unhandled('/api/other').waitFor()
      await panel.getByRole('button', { name: 'Clear the list of unhandled requests' }).click()
      await panel.getByText('No unhandled requests').waitFor()
      // A request that is made again is unhandled again.
      await ask('/api/other')
      await ask('/api/user')
      await unhandled('/api/other').waitFor()
      await panel.getByRole('button', { name: 'Switch on GET /api/user' }).first().click()
      await expect.poll(async () => (await ask('/api/user'))[1]).toBe('{"name":"Ada"}')
      await unhandled('/api/user').waitFor({ state: 'detached' })
    })

    test('a request is copied as cURL and as a call of fetch, and its response as a handler', async () => {
      await app.context.grantPermissions(['clipboard-read', 'clipboard-write'])
      // The row of an earlier request without the query may be on top until the panel gets the new one.
      await ask('/api/user?copied')
      await options(/^200.*\/api\/user\?copied/).click()
      await panel.getByText('"Ada"').waitFor()
      const copied = (): Promise<string> => panel.evaluate(() => navigator.clipboard.readText())
      await panel.getByRole('button', { name: 'Copy the request as cURL' }).click()
      await expect.poll(copied).toContain(`curl '${served.server.origin}/api/user?copied'`)
      await panel.getByRole('button', { name: 'Copy the request as fetch' }).click()
      await expect.poll(copied).toContain('fetch(')
      expect(await app.page.evaluate(`(async () => { const { status } = ${await copied()}; return status })()`)).toBe(
        200,
      )
      await panel.getByRole('button', { name: 'Copy the response as a handler' }).click()
      await expect.poll(copied).toBe(`http.get('/api/user', () => HttpResponse.json({\n  "name": "Ada"\n})),`)
    })
  })
}
