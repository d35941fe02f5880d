import { ApolloClient, ApolloLink, createHttpLink, InMemoryCache } from '@apollo/client'
import { onError } from '@apollo/client/link/error'

export const problems: string[] = []

export function createClient() {
  const errors = onError(({ graphQLErrors, networkError }) => {
    for (const { message, extensions } of graphQLErrors ?? [])
      problems.push(`${String(extensions?.['code'])}: ${message}`)
    if (networkError) problems.push(`network: ${networkError.name}`)
  })
  const http = createHttpLink({ uri: 'http://localhost/graphql', headers: { 'x-garden': 'north' } })
  return new ApolloClient({ link: ApolloLink.from([errors, http]), cache: new InMemoryCache() })
}
