import { delay, http, HttpResponse } from 'msw'

import { catalogueApi } from './catalogue-api'
import { server } from './mocks/server'
import { tokenReceived } from './session'
import { createStore } from './store'

const { listBooks, lendBook, readBlurb, uploadCover } = catalogueApi.endpoints
const books = 'https://library.example.com/api/books'

test('a request carries the token and the parameters', async () => {
  const store = createStore()
  store.dispatch(tokenReceived('first'))
  const sent: string[] = []
  server.events.on('request:start', ({ request }) => {
    sent.push(`${request.method} ${request.url} ${request.headers.get('authorization')} ${request.credentials}`)
  })
  const { data } = await store.dispatch(listBooks.initiate({ search: 'dra', page: 1 }))
  expect(data).toEqual({ items: [{ id: 3, title: 'Dracula', lentTo: null }], next: null })
  expect(sent).toEqual([`GET ${books}?search=dra&page=1 Bearer first include`])
})

test('an expired token is refreshed', async () => {
  const store = createStore()
  store.dispatch(tokenReceived('old'))
  server.use(http.post('https://library.example.com/api/session/refresh', () => HttpResponse.json({ token: 'first' })))
  const { data } = await store.dispatch(listBooks.initiate({ search: '', page: 2 }))
  expect(data?.items).toHaveLength(1)
  expect(store.getState().session.token).toBe('first')
})

test('a session that cannot be refreshed ends', async () => {
  const store = createStore()
  store.dispatch(tokenReceived('old'))
  server.use(
    http.post('https://library.example.com/api/session/refresh', () => new HttpResponse(null, { status: 403 })),
  )
  const { error } = await store.dispatch(listBooks.initiate({ search: '', page: 1 }))
  expect(error).toMatchObject({ status: 401 })
  expect(store.getState().session.token).toBeNull()
})

test('a mutation of a missing book fails', async () => {
  const { error } = await createStore().dispatch(lendBook.initiate({ id: 99, to: 'Ada' }))
  expect(error).toMatchObject({ status: 404 })
})

test('a cover is uploaded', async () => {
  const cover = new Blob(['not really an image'], { type: 'image/png' })
  const { data } = await createStore().dispatch(uploadCover.initiate({ id: 1, cover }))
  expect(data).toEqual({ bytes: 19, type: 'image/png' })
})

test('text is read as text', async () => {
  const { data } = await createStore().dispatch(readBlurb.initiate(2))
  expect(data).toBe('The blurb of 2')
})

test('JSON that cannot be parsed is an error', async () => {
  server.use(http.get(books, () => HttpResponse.text('<html>')))
  const { error } = await createStore().dispatch(listBooks.initiate({ search: '', page: 1 }))
  expect(error).toMatchObject({ status: 'PARSING_ERROR', data: '<html>' })
})

test('a request is aborted', async () => {
  server.use(
    http.get(books, async () => {
      await delay('infinite')
      return HttpResponse.json([])
    }),
  )
  const pending = createStore().dispatch(listBooks.initiate({ search: '', page: 1 }))
  setTimeout(() => pending.abort(), 10)
  expect((await pending).error).toMatchObject({ name: 'AbortError' })
})

test('a request without a handler fails', async () => {
  const printed = jest.spyOn(console, 'error').mockImplementation(() => {})
  await expect(fetch('https://library.example.com/api/nowhere')).rejects.toThrow()
  expect(printed).toHaveBeenCalled()
  printed.mockRestore()
})
