import { ApolloProvider } from '@apollo/client'
import { render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { graphql, http, HttpResponse } from 'msw'

import { createClient, problems } from './client'
import { Garden } from './Garden'
import { server } from './mocks/server'

function open() {
  problems.length = 0
  render(
    <ApolloProvider client={createClient()}>
      <Garden />
    </ApolloProvider>,
  )
  return userEvent.setup()
}

const beds = () => screen.getAllByRole('listitem').map(({ textContent }) => textContent)

test('shows that it loads, and then the beds', async () => {
  open()
  expect(screen.getByText('Looking at the beds…')).toBeInTheDocument()
  await screen.findAllByRole('listitem')
  expect(beds()).toEqual(['Thyme is dryWater Thyme', 'Leek is watered'])
})

test('waters a bed', async () => {
  const user = open()
  await user.click(await screen.findByRole('button', { name: 'Water Thyme' }))
  await waitFor(() => expect(beds()).toEqual(['Thyme is watered', 'Leek is watered']))
})

test('plants a bed, and asks for the list again', async () => {
  const user = open()
  await user.type(await screen.findByLabelText('Plant'), 'Mint')
  await user.click(screen.getByRole('button', { name: 'Plant' }))
  await waitFor(() => expect(beds()).toContain('Mint is dryWater Mint'))
})

test('shows dry beds only', async () => {
  const user = open()
  await user.click(await screen.findByRole('checkbox'))
  await waitFor(() => expect(beds()).toEqual(['Thyme is dryWater Thyme']))
})

test('shows an error of GraphQL', async () => {
  const user = open()
  await user.click(await screen.findByRole('button', { name: 'Plant' }))
  expect(await screen.findByRole('alert')).toHaveTextContent('Name a plant.')
  expect(problems).toEqual(['BAD_USER_INPUT: Name a plant.'])
})

test('an override answers once', async () => {
  server.use(graphql.query('ListBeds', () => HttpResponse.json({ errors: [{ message: 'It rains.' }] }), { once: true }))
  const user = open()
  expect(await screen.findByRole('alert')).toHaveTextContent('It rains.')
  await user.click(screen.getByRole('button', { name: 'Again' }))
  await waitFor(() => expect(beds()).toHaveLength(2))
})

test('a status without a body is an error of the network', async () => {
  server.use(http.post('http://localhost/graphql', () => new HttpResponse(null, { status: 502 })))
  open()
  expect(await screen.findByRole('alert')).toHaveTextContent('Response not successful: Received status code 502')
  expect(problems).toEqual(['network: ServerError'])
})

test('a network error', async () => {
  server.use(graphql.operation(() => HttpResponse.error()))
  open()
  expect(await screen.findByRole('alert')).toBeInTheDocument()
  expect(problems).toEqual(['network: TypeError'])
})

test('events show the operations', async () => {
  const operations: string[] = []
  server.events.on('request:match', async ({ request }) => {
    const { operationName, variables } = await request.clone().json()
    operations.push(`${operationName} ${JSON.stringify(variables)}`)
  })
  const user = open()
  await user.click(await screen.findByRole('button', { name: 'Water Thyme' }))
  await waitFor(() => expect(operations).toEqual(['ListBeds {"dry":false}', 'WaterBed {"id":"1"}']))
})

test('a mutation without a handler fails', async () => {
  const printed = jest.spyOn(console, 'error').mockImplementation(() => {})
  server.resetHandlers(graphql.query('ListBeds', () => HttpResponse.json({ data: { beds: [] } })))
  const user = open()
  await user.click(await screen.findByRole('button', { name: 'Plant' }))
  expect(await screen.findByRole('alert')).toBeInTheDocument()
  expect(printed).toHaveBeenCalled()
  printed.mockRestore()
})
