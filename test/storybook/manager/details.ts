import type { Locator } from 'playwright'
import { expect, test } from 'vitest'

import type { Manager } from './open-manager.ts'

/** Tests the details of requests and connections, as the scenarios of `test/acceptance/panel-log.ts` do on dev servers. */
export function testDetails(manager: Manager): void {
  const { open, panel, tab, ask, rowOf, frame } = manager

  const option = (name: RegExp): Locator => panel().getByRole('option', { name }).first()
  const fact = (name: string): Locator =>
    panel()
      .locator('.us-detail .us-fact')
      .filter({ has: manager.visit.page.locator('dt', { hasText: name }) })
  const run = (code: string): Promise<unknown> => frame().locator('body').evaluate(code)

  async function openLog(): Promise<void> {
    await open('/story/layers--details')
    // The project has a handler for /api/boats, too.
    await rowOf('GET /api/sunk').waitFor()
    await tab('Requests').click()
  }

  test('a request is shown while its resolver runs, with a timeline', async () => {
    await openLog()
    await run(`void fetch('/api/hang')`)
    await option(/\/api\/hang/).click()
    await fact('Outcome').getByText('Pending: the resolver of a handler runs').waitFor()
    const bars = panel().locator('.us-phase')
    await expect
      .poll(() => bars.evaluateAll((all) => all.map((bar) => (bar as HTMLElement).dataset['phase'])))
      .toEqual(['Match', 'Resolver'])
  })

  test('the error of a resolver is shown with the lines of the story', async () => {
    await openLog()
    expect(await ask('/api/sunk')).toEqual([500])
    await option(/\/api\/sunk/).click()
    const error = panel().getByRole('region', { name: 'Error' })
    await error.getByText('No such boat').waitFor()
    await expect.poll(() => error.textContent()).toMatch(/at findBoat .*Layers\.stories\.tsx:\d+/)
  })

  test('a GraphQL request shows its operation and the errors of its response', async () => {
    await openLog()
    await run(
      `fetch('/graphql', { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"query":"query ListBoats { boats }"}' })`,
    )
    await option(/POST 1 error query ListBoats/).click()
    await fact('GraphQL error').getByText('No harbour').waitFor()
  })

  test('the messages of a connection are shown, and one can be sent by hand', async () => {
    await openLog()
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
    await openLog()
    expect(await ask('/api/boats')).toEqual([200])
    await panel().getByRole('searchbox', { name: 'Filter requests' }).fill('Petrel')
    await option(/\/api\/boats.*response body.*Petrel/).click()
    await panel().getByRole('button', { name: 'Edit response' }).click()
    await panel().getByRole('textbox', { name: 'Body' }).fill('{"name":"Dipper"}')
    await panel().getByRole('button', { name: 'Apply' }).click()
    await expect.poll(() => run(`fetch('/api/boats').then((response) => response.text())`)).toBe('{"name":"Dipper"}')
  })
}
