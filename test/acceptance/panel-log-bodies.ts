import { expect, test } from 'vitest'

import { backendAnswer } from './counting-backend.ts'
import type { PanelLog } from './open-panel-log.ts'

/** Tests what the panel shows of requests and responses: those of the network, forms, large JSON, GraphQL, and the search in them. */
export function testPanelLogBodies(log: PanelLog): void {
  const { ask, options, fact } = log

  test.each([
    ['/api/real', 'network'],
    ['/api/unknown', 'no mock'],
  ])('the response of the network is shown: %s', async (path, word) => {
    expect(await ask(path)).toEqual([200, JSON.stringify(backendAnswer)])
    await options(new RegExp(`^${word} 200\\s*GET ${path}`))
      .first()
      .click()
    await fact('Outcome').getByText('which answered 200').waitFor()
    const response = log.panel.getByRole('region', { name: 'Response' })
    await response.getByText(Object.keys(backendAnswer)[0] as string).waitFor()
    await response.getByText('Headers').click()
    expect(await response.textContent()).toContain('content-type')
  })

  test('a form is shown by its parts, and the URL as browsers show it', async () => {
    await log.app.page.evaluate(`(() => {
      const form = new FormData()
      form.append('title', 'Käse')
      form.append('photo', new File([new Uint8Array([137, 80, 0, 255])], 'katze.png', { type: 'image/png' }))
      return ask('/api/b%C3%BCcher/a%2Fb', { method: 'POST', body: form })
    })()`)
    const search = log.panel.getByRole('searchbox', { name: 'Filter requests' })
    await search.fill('bücher')
    await options(/POST \/api\/bücher\/a%2Fb/)
      .first()
      .click()
    const request = log.panel.getByRole('region', { name: 'Request', exact: true })
    await request.getByText('image/png').waitFor()
    expect(await request.textContent()).toMatch(/title.*5 B.*Käse.*photo.*katze\.png · image\/png · 4 B · binary/s)
    await search.fill('')
  })

  test('the search finds text in headers and bodies, and says where', async () => {
    await log.app.page.evaluate(
      `ask('/api/real', { method: 'POST', headers: { 'x-trace': 'zebra-1' }, body: 'a <b>giraffe</b> b' })`,
    )
    await log.app.page.evaluate('chat()')
    await ask('/api/user')
    await options(/WS .*chat\.test/).waitFor()
    const search = log.panel.getByRole('searchbox', { name: 'Filter requests' })
    await search.fill('ADA')
    await options(/\/api\/user.*response body.*"Ada"/)
      .first()
      .waitFor()
    expect(await log.panel.locator('.us-mark').first().textContent()).toBe('Ada')
    expect(await options(/\/api\/real/).count()).toBe(0)
    await search.fill('zebra giraffe')
    await options(/\/api\/real.*request headers.*x-trace: zebra-1.*request body.*a <b>giraffe<\/b> b/).waitFor()
    expect(await options(/./).count()).toBe(1)
    expect(await log.panel.locator('.us-hint b').count()).toBe(0)
    await search.fill('echo')
    await options(/WS .*messages.*echo/).waitFor()
    // A request that comes later is searched, too.
    await search.fill('walrus')
    await log.panel.getByText('No request matches the filter').waitFor()
    await log.app.page.evaluate(`ask('/api/real', { method: 'POST', body: 'walrus' })`)
    await options(/request body.*walrus/).waitFor()
  })

  test('JSON of more than 1 MB is a tree of few elements, and is searched', async () => {
    const text = (await ask('/api/large'))[1]
    expect(text.length).toBeGreaterThan(1_000_000)
    await options(/\/api\/large/).click()
    const response = log.panel.getByRole('region', { name: 'Response' })
    await response.getByRole('button', { name: '7900 more' }).waitFor()
    const elements = (): Promise<number> => log.panel.locator('.us-tree *').count()
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
      log.app.page.evaluate(
        `ask('/graphql', { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"query":"${text}"}' })`,
      )
    await query('query ListReviews { reviews { id } }')
    await query('mutation AddReview { addReview { id } }')
    await log.app.page.evaluate(
      `ask('/graphql', { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify([
        { query: 'query ListReviews { reviews { id } }' }, { query: 'mutation AddReview { addReview { id } }' }]) })`,
    )
    await options(/^200\s*POST 2 errors batch query ListReviews, mutation AddReview \/graphql/).waitFor()
    await options(/^200\s*POST mutation AddReview \/graphql/).waitFor()
    await options(/^200\s*POST 2 errors query ListReviews \/graphql/).click()
    await expect
      .poll(() => fact('GraphQL error').allTextContents())
      .toEqual(['GraphQL errorNot <b>allowed</b>', 'GraphQL errorGone'])
    expect(await log.panel.locator('.us-detail b').count()).toBe(0)
    await log.panel.getByRole('combobox', { name: 'Outcome' }).selectOption('Errors')
    await expect.poll(() => options(/./).count()).toBe(2)
  })
}
