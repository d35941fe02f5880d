import { expect } from '@esm-bundle/chai'
import { graphql, http, HttpResponse } from '@understudy/engine'
import { setupWorker } from '@understudy/engine/browser'

const worker = setupWorker(
  http.get('/api/plays', () => HttpResponse.json(['Hamlet'])),
  graphql.query('Plays', () => HttpResponse.json({ data: { plays: ['Hamlet'] } })),
)

before(() => worker.start({ quiet: true }))
afterEach(() => worker.resetHandlers())
after(() => worker.stop())

const ask = async () => (await fetch('/api/plays')).json()

it('answers', async () => {
  expect(await ask()).to.eql(['Hamlet'])
})

it('answers with the handlers of a test', async () => {
  worker.use(http.get('/api/plays', () => HttpResponse.json([])))
  expect(await ask()).to.eql([])
})

it('answers an image', async () => {
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="3" height="3"/>'
  worker.use(http.get('/logo', () => new HttpResponse(svg, { headers: { 'Content-Type': 'image/svg+xml' } })))
  const image = new Image()
  image.src = '/logo'
  await image.decode()
  expect(image.naturalWidth).to.equal(3)
})

it('answers GraphQL without the package "graphql"', async () => {
  const response = await fetch('/graphql', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ query: 'query Plays { plays }' }),
  })
  expect(await response.json()).to.eql({ data: { plays: ['Hamlet'] } })
})
