import type { Locator } from 'playwright'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'

import { backendAnswer, startBackend, type CountingBackend } from '../../acceptance/counting-backend.ts'
import type { Manager } from './open-manager.ts'

/** Tests the details of requests and connections, as the scenarios of `test/acceptance/panel-log.ts` do on dev servers. */
export function testDetails(manager: Manager): void {
  const { show, panel, tab, ask, rowOf, frame } = manager

  describe('details of requests', () => {
    let backend: CountingBackend
    beforeAll(async () => {
      backend = await startBackend()
    })
    afterAll(() => backend?.close())

    const option = (name: RegExp): Locator => panel().getByRole('option', { name }).first()
    const fact = (name: string): Locator =>
      panel()
        .locator('.us-detail .us-fact')
        .filter({ has: manager.visit.page.locator('dt', { hasText: name }) })
    const run = (code: string): Promise<unknown> => frame().locator('body').evaluate(code)

    beforeEach(async () => {
      await show('layers--details')
      // The project has a handler for /api/boats, too.
      await rowOf('GET /api/sunk').waitFor()
      await tab('Requests').click()
    })

    test('a request is shown while its resolver runs, with a timeline', async () => {
      await run(`void fetch('/api/hang')`)
      await option(/\/api\/hang/).click()
      await fact('Outcome').getByText("Pending: a handler's resolver is running").waitFor()
      const bars = panel().locator('.us-phase')
      await expect
        .poll(() => bars.evaluateAll((all) => all.map((bar) => (bar as HTMLElement).dataset['phase'])))
        .toEqual(['Match', 'Resolver'])
    })

    test('the error of a resolver is shown with the lines of the story', async () => {
      expect(await ask('/api/sunk')).toEqual([500])
      await option(/\/api\/sunk/).click()
      const error = panel().getByRole('region', { name: 'Error' })
      await error.getByText('No such boat').first().waitFor()
      await expect.poll(() => error.textContent()).toMatch(/at findBoat .*Layers\.stories\.tsx:\d+/)
      const code = error.getByLabel('Code that threw')
      await expect.poll(() => code.textContent()).toMatch(/> \d+ \|   throw new TypeError\('No such boat'\)/)
    })

    test('a GraphQL request shows its operation and the errors of its response', async () => {
      await run(
        `fetch('/graphql', { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"query":"query ListBoats { boats }"}' })`,
      )
      await option(/POST 1 error query ListBoats/).click()
      await fact('GraphQL error').getByText('No harbour').waitFor()
    })

    test('the events of a stream are rows, and one can be sent by hand', async () => {
      await run(`globalThis.received = []
        globalThis.waves = new EventSource('/api/waves')
        waves.onmessage = ({ data }) => received.push(data)`)
      await option(/\/api\/waves/).click()
      const events = panel().getByRole('list', { name: 'Events' }).getByRole('listitem')
      await expect
        .poll(() => events.allTextContents())
        .toEqual([
          expect.stringMatching(/^↓{"height":4}storm #712 B\d\d:\d\d:\d\d\.\d{3}$/),
          expect.stringMatching(/^↓calmmessage4 B\d\d:\d\d:\d\d\.\d{3}$/),
        ])
      await run(`sendWave('high')`)
      await expect.poll(() => events.first().textContent()).toMatch(/^↓highmessage4 B/)
      await panel().getByRole('searchbox', { name: 'Data of the event' }).fill('by hand')
      await manager.visit.page.keyboard.press('Enter')
      await expect.poll(() => run('received')).toEqual(['calm', 'high', 'by hand'])
      await run('endWaves()')
      await expect.poll(() => panel().getByRole('searchbox', { name: 'Data of the event' }).count()).toBe(0)
      await run('waves.close()')
    })

    test('the status, the headers and the body of a response of the network are shown', async () => {
      expect(await ask(`${backend.origin}/api/harbours`)).toEqual([200])
      await option(/\/api\/harbours/).click()
      await fact('Outcome').getByText('Sent to the network, which answered 200 OK: no handler matched').waitFor()
      const response = panel().getByRole('region', { name: 'Response' })
      await response.getByText(`"${backendAnswer.from}"`).waitFor()
      await response.getByText('Headers').click()
      await response.getByText('application/json').first().waitFor()
    })

    test('a resolver that returned no response is named', async () => {
      expect(await ask(`${backend.origin}/api/forgotten`)).toEqual([200])
      await option(/\/api\/forgotten/).click()
      await fact('Outcome').getByText('which answered 200 OK: the resolver returned no response').waitFor()
      await fact('No response').getByText('GET */api/forgotten').waitFor()
    })

    test('the messages of a connection are shown, and one can be sent by hand', async () => {
      await run(`globalThis.received = []
        globalThis.socket = new WebSocket('wss://harbour.test/radio')
        socket.onopen = () => socket.send('hello')
        socket.onmessage = ({ data }) => received.push(data)`)
      await option(/WS .*harbour\.test/).click()
      const messages = panel().getByRole('region', { name: 'Messages' }).getByRole('listitem')
      await expect.poll(() => messages.count()).toBe(2)
      await panel().getByRole('searchbox', { name: 'Message to the app' }).fill('by hand')
      await manager.visit.page.keyboard.press('Enter')
      await expect.poll(() => run('received')).toEqual(['echo hello', 'by hand'])
      await run('socket.close()')
    })

    test('the search finds text in bodies, and an edited response is marked', async () => {
      expect(await ask('/api/boats')).toEqual([200])
      await panel().getByRole('searchbox', { name: 'Filter requests' }).fill('Petrel')
      await option(/\/api\/boats.*response body.*Petrel/).click()
      await panel().getByRole('button', { name: 'Edit response' }).click()
      await panel().getByRole('textbox', { name: 'Body' }).fill('{"name":"Dipper"}')
      await panel().getByRole('button', { name: 'Apply' }).click()
      await expect.poll(() => run(`fetch('/api/boats').then((response) => response.text())`)).toBe('{"name":"Dipper"}')
      await panel().getByRole('searchbox', { name: 'Filter requests' }).fill('')
      await tab('Handlers').click()
      await panel().getByRole('button', { name: 'Reset all' }).click()
    })
  })
}
