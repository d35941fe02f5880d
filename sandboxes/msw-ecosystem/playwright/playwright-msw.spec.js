import { expect, test as base } from '@playwright/test'
import { graphql, http, HttpResponse } from 'msw'
import { createWorkerFixture } from 'playwright-msw'

const test = base.extend({
  worker: createWorkerFixture([http.get('/user/:id', ({ params }) => HttpResponse.json({ id: params.id }))], {
    graphqlUrl: '/graphql',
    waitForPageLoad: false,
  }),
  http,
})

test.beforeEach(async ({ page }) => {
  await page.route('http://localhost/', (route) => route.fulfill({ contentType: 'text/html', body: '<!doctype html>' }))
  await page.goto('http://localhost/')
})

const ask = (page, path, init) =>
  page.evaluate(
    async ([url, options]) => {
      const response = await fetch(url, options)
      return `${response.status} ${await response.text()}`
    },
    [path, init],
  )

test('initial handlers, handlers that are used and reset', async ({ page, worker }) => {
  expect(await ask(page, '/user/5')).toBe('200 {"id":"5"}')
  await worker.use(http.get('/user/:id', () => new HttpResponse('none', { status: 404 })))
  expect(await ask(page, '/user/5')).toBe('404 none')
  await worker.resetHandlers()
  expect(await ask(page, '/user/5')).toBe('200 {"id":"5"}')
})

test('GraphQL', async ({ page, worker }) => {
  await worker.use(graphql.query('GetUser', ({ variables }) => HttpResponse.json({ data: { id: variables.id } })))
  const body = JSON.stringify({ query: 'query GetUser { id }', variables: { id: '5' } })
  const headers = { 'Content-Type': 'application/json' }
  expect(await ask(page, '/graphql', { method: 'POST', headers, body })).toBe('200 {"data":{"id":"5"}}')
})
