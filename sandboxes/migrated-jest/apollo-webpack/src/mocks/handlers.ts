import {
  delay,
  graphql,
  HttpResponse,
  type GraphQLQuery,
  type GraphQLResponseResolver,
  type GraphQLVariables,
} from 'msw'

import type { Bed } from '../operations'

let beds: Bed[] = []

export function resetBeds(): void {
  beds = [
    { __typename: 'Bed', id: '1', plant: 'Thyme', watered: false },
    { __typename: 'Bed', id: '2', plant: 'Leek', watered: true },
  ]
}
resetBeds()

/** Refuses requests from other gardens. */
function inGarden<Query extends GraphQLQuery, Variables extends GraphQLVariables>(
  resolver: GraphQLResponseResolver<Query, Variables>,
): GraphQLResponseResolver<Query, Variables> {
  return (info) => {
    if (info.request.headers.get('x-garden') === 'north') return resolver(info)
    return HttpResponse.json({ errors: [{ message: 'Not your garden.', extensions: { code: 'FORBIDDEN' } }] })
  }
}

export const handlers = [
  graphql.query<{ beds: Bed[] }, { dry?: boolean }>(
    'ListBeds',
    inGarden(async ({ variables }) => {
      await delay(5)
      return HttpResponse.json({ data: { beds: variables.dry ? beds.filter(({ watered }) => !watered) : beds } })
    }),
  ),

  graphql.mutation<{ waterBed: Bed }, { id: string }>('WaterBed', ({ variables }) => {
    const bed = beds.find(({ id }) => id === variables.id)
    if (!bed) return HttpResponse.json({ errors: [{ message: 'There is no such bed.' }] })
    const watered = { ...bed, watered: true }
    beds = beds.map((each) => (each === bed ? watered : each))
    return HttpResponse.json({ data: { waterBed: watered } })
  }),

  graphql.mutation<{ plantBed: Bed }, { input: { plant: string } }>('PlantBed', ({ variables: { input } }) => {
    if (input.plant === '') {
      return HttpResponse.json({ errors: [{ message: 'Name a plant.', extensions: { code: 'BAD_USER_INPUT' } }] })
    }
    const bed: Bed = { __typename: 'Bed', id: String(beds.length + 1), plant: input.plant, watered: false }
    beds = [...beds, bed]
    return HttpResponse.json({ data: { plantBed: bed } })
  }),
]
