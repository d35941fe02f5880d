import { render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { delay, http, HttpResponse } from 'msw'

import { App } from './App'
import { server } from './mocks/server'

async function signIn(password = 'chain') {
  const user = userEvent.setup()
  render(<App />)
  await user.type(screen.getByLabelText('Email'), 'ada@example.com')
  await user.type(screen.getByLabelText('Password'), password)
  await user.click(screen.getByRole('button', { name: 'Sign in' }))
  return user
}

const items = () =>
  screen
    .getAllByRole('listitem')
    .map(
      ({ firstChild, childNodes }) =>
        `${firstChild!.textContent}${childNodes[1]!.textContent}${childNodes[2]!.textContent}`,
    )

describe('signing in', () => {
  test('greets, and lists the repairs', async () => {
    await signIn()
    expect(await screen.findByRole('heading')).toHaveTextContent('Hello, ada')
    await screen.findByText(/Red tandem/, { selector: 'li' })
    expect(items()).toEqual(['Red tandem: waiting', 'Cargo bike: done'])
  })

  test('says that the password is wrong', async () => {
    await signIn('rope')
    expect(await screen.findByRole('alert')).toHaveTextContent('Wrong password.')
    expect(screen.getByRole('button', { name: 'Sign in' })).toBeEnabled()
  })

  test('disables the button while it waits', async () => {
    server.use(
      http.post('/api/session', async () => {
        await delay(50)
        return HttpResponse.json({ message: 'Closed.' }, { status: 503 })
      }),
    )
    await signIn()
    expect(screen.getByRole('button', { name: 'Sign in' })).toBeDisabled()
    expect(await screen.findByRole('alert')).toHaveTextContent('Closed.')
  })

  test('says that the shop cannot be reached', async () => {
    server.use(http.post('/api/session', () => HttpResponse.error()))
    await signIn()
    expect(await screen.findByRole('alert')).toHaveTextContent('The shop cannot be reached.')
  })
})

describe('the repairs', () => {
  test('an added one appears, and its form is empty again', async () => {
    const user = await signIn()
    await user.type(await screen.findByLabelText('Bike'), 'Unicycle')
    await user.click(screen.getByRole('button', { name: 'Add' }))
    await screen.findByText(/Unicycle/, { selector: 'li' })
    expect(items()).toEqual(['Red tandem: waiting', 'Cargo bike: done', 'Unicycle: waiting'])
    await waitFor(() => expect(screen.getByLabelText('Bike')).toHaveValue(''))
  })

  test('one without a name is refused', async () => {
    const user = await signIn()
    await user.click(await screen.findByRole('button', { name: 'Add' }))
    expect(await screen.findByRole('alert')).toHaveTextContent('Name the bike.')
  })

  test('one is finished, one is removed, and the list is filtered', async () => {
    const user = await signIn()
    await user.click(await screen.findByRole('button', { name: 'Finish Red tandem' }))
    await waitFor(() => expect(items()).toEqual(['Red tandem: done', 'Cargo bike: done']))
    await user.click(screen.getByRole('button', { name: 'Remove Cargo bike' }))
    await waitFor(() => expect(items()).toEqual(['Red tandem: done']))
    await user.selectOptions(screen.getByLabelText('Show'), 'waiting')
    await waitFor(() => expect(screen.queryAllByRole('listitem')).toEqual([]))
  })

  test('a failed answer is shown once, and the next one is real again', async () => {
    server.use(http.get('/api/repairs', () => new HttpResponse(null, { status: 500 }), { once: true }))
    await signIn()
    expect(await screen.findByRole('alert')).toHaveTextContent('The shop answers 500.')
  })
})
