import { render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { delay, http, HttpResponse } from 'msw'
import { Provider } from 'react-redux'

import { Catalogue } from './Catalogue'
import { server } from './mocks/server'
import { createStore } from './store'

async function open(password = 'quiet') {
  const user = userEvent.setup()
  render(
    <Provider store={createStore()}>
      <Catalogue />
    </Provider>,
  )
  await user.type(screen.getByLabelText('Name'), 'ada')
  await user.type(screen.getByLabelText('Password'), password)
  await user.click(screen.getByRole('button', { name: 'Sign in' }))
  return user
}

const titles = async () => (await screen.findAllByRole('listitem')).map(({ firstChild }) => firstChild!.textContent)

test('signs in, and lists the first page', async () => {
  await open()
  expect(await titles()).toEqual(['Middlemarch', 'Emma'])
})

test('refuses a wrong password', async () => {
  await open('loud')
  expect(await screen.findByRole('alert')).toHaveTextContent('Wrong password.')
})

test('shows the next page, and searches', async () => {
  const user = await open()
  await user.click(await screen.findByRole('button', { name: 'Next page' }))
  await waitFor(async () => expect(await titles()).toEqual(['Dracula']))
})

test('lends a book, and reads the list again', async () => {
  const user = await open()
  await user.click(await screen.findByRole('button', { name: 'Lend Emma' }))
  await waitFor(async () => expect(await titles()).toEqual(['Middlemarch', 'Emma, lent to Ada']))
})

test('shows that it is loading', async () => {
  server.use(
    http.get('https://library.example.com/api/books', async () => {
      await delay(50)
      return HttpResponse.json({ items: [{ id: 7, title: 'Slow', lentTo: null }], next: null })
    }),
  )
  await open()
  expect(await screen.findByText('Loading…')).toBeInTheDocument()
  expect(await titles()).toEqual(['Slow'])
})

test('tries again after a failure', async () => {
  server.use(
    http.get('https://library.example.com/api/books', () => new HttpResponse(null, { status: 500 }), { once: true }),
  )
  const user = await open()
  expect(await screen.findByRole('alert')).toHaveTextContent('Failed: 500')
  await user.click(screen.getByRole('button', { name: 'Try again' }))
  expect(await titles()).toEqual(['Middlemarch', 'Emma'])
})

test('a network error is shown as one of fetch', async () => {
  server.use(http.get('https://library.example.com/api/books', () => HttpResponse.error()))
  await open()
  expect(await screen.findByRole('alert')).toHaveTextContent('Failed: FETCH_ERROR')
})
