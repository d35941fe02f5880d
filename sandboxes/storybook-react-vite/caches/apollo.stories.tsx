import { ApolloClient, gql, HttpLink, InMemoryCache, type TypedDocumentNode } from '@apollo/client'
import { ApolloProvider, useQuery } from '@apollo/client/react'
import type { Meta, StoryObj } from '@storybook/react-vite'
import type { ReactElement } from 'react'

import { boatOfGraphNamed, expectBoat } from './boats.ts'

/** One client for the whole app, as in real apps. */
const apolloClient = new ApolloClient({ link: new HttpLink({ uri: '/graphql' }), cache: new InMemoryCache() })

const boatQuery: TypedDocumentNode<{ boat: { name: string } }> = gql`
  query Boat {
    boat(id: "GBR-7") {
      id
      name
    }
  }
`

function Boats(): ReactElement {
  const { data } = useQuery(boatQuery)
  return <p>{data?.boat.name ?? '…'}</p>
}

const meta: Meta = {
  title: 'Caches/Apollo',
  tags: ['!autodocs'],
  decorators: [(Story) => <ApolloProvider client={apolloClient}>{Story()}</ApolloProvider>],
  render: () => <Boats />,
  parameters: { understudy: { clearCaches: () => apolloClient.clearStore() } },
}
export default meta

export const First: StoryObj = { parameters: { handlers: [boatOfGraphNamed('Petrel')] }, play: expectBoat('Petrel') }
export const Second: StoryObj = { parameters: { handlers: [boatOfGraphNamed('Dipper')] }, play: expectBoat('Dipper') }
/** Without the recipe, it shows the cached response of the client. */
export const Kept: StoryObj = {
  tags: ['!test'],
  parameters: { handlers: [boatOfGraphNamed('Curlew')], understudy: { clearCaches: [] } },
}
