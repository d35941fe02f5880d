import { graphql, http, HttpResponse, type Handler } from '@understudy/engine'
import { expect, waitFor, within } from 'storybook/test'

/** A register with one boat. */
export function boatNamed(name: string): Handler {
  return http.get('/api/boats', () => HttpResponse.json([{ id: 'GBR-7', name, length: 9, berth: 'A3' }]))
}

/** The same with GraphQL. */
export function boatOfGraphNamed(name: string): Handler {
  return graphql.query('Boat', () => HttpResponse.json({ data: { boat: { __typename: 'Boat', id: 'GBR-7', name } } }))
}

/** A play function that waits for a boat's name. */
export function expectBoat(name: string): (context: { canvasElement: HTMLElement }) => Promise<void> {
  return async ({ canvasElement }) => {
    await waitFor(() => expect(within(canvasElement).getByText(name)).toBeVisible())
  }
}
