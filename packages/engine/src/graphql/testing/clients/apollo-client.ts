import { ApolloClient, ApolloLink, gql, HttpLink, InMemoryCache, ServerError } from '@apollo/client'
import { BatchHttpLink } from '@apollo/client/link/batch-http'
import { PersistedQueryLink } from '@apollo/client/link/persisted-queries'
import { describe, expect, test } from 'vitest'

import { HttpResponse } from '../../../core/responses/http-response.ts'
import { graphql } from '../../graphql.ts'
import { collect, counted, query, subscription, url, user, type Use } from './sample-operations.ts'

const document = gql(query)
const sha256 = (text: string): Promise<string> =>
  crypto.subtle
    .digest('SHA-256', new TextEncoder().encode(text))
    .then((bytes) => Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, '0')).join(''))

export function checkApolloClient(upstream: string, use: Use): void {
  describe('Apollo Client', () => {
    const create = (link: ApolloLink = new HttpLink({ uri: url })) =>
      new ApolloClient({ cache: new InMemoryCache(), link })

    test('queries', async () => {
      const { data } = await create().query({ query: document, variables: { id: '1' } })
      expect(data).toMatchObject({ user })
    })

    test('queries by GET', async () => {
      const link = new HttpLink({ uri: url, useGETForQueries: true })
      const { data } = await create(link).query({ query: document, variables: { id: '2' } })
      expect(data).toMatchObject({ user: { id: '2' } })
    })

    test('gets errors', async () => {
      const asked = create().query({ query: document, variables: { id: '0' } })
      await expect(asked).rejects.toMatchObject({ name: 'CombinedGraphQLErrors', message: 'no such user' })
    })

    test('gets errors of a refused request as a server would give them, and no server error', async () => {
      use(graphql.schema('type Query { a: Int }'))
      use(graphql.query('Refused', () => HttpResponse.json({ errors: [{ message: 'no' }] }, { status: 400 })))
      for (const name of ['Refused', 'Invalid']) {
        const asked = create().query({ query: gql`query ${name} { nothing }` })
        await expect(asked).rejects.toHaveProperty('name', 'CombinedGraphQLErrors')
      }
      use(graphql.query('Refused', () => new HttpResponse('down', { status: 503 })))
      const asked = create().query({
        query: gql`
          query Refused {
            nothing
          }
        `,
      })
      await expect(asked).rejects.toBeInstanceOf(ServerError)
    })

    test('batches', async () => {
      const client = create(new BatchHttpLink({ uri: url, batchMax: 3, batchInterval: 5 }))
      const answers = await Promise.all(
        ['1', '2', '3'].map((id) => client.query({ query: document, variables: { id } })),
      )
      expect(answers.map(({ data }) => (data as { user: { id: string } }).user.id)).toEqual(['1', '2', '3'])
    })

    test('batches, of which the server answers a part', async () => {
      use(graphql.query('GetUser', () => HttpResponse.json({ data: { user: { ...user, __typename: 'User' } } })))
      const client = create(new BatchHttpLink({ uri: `${upstream}/graphql`, batchMax: 3, batchInterval: 5 }))
      const real = () =>
        client.query({
          query: gql`
            query Real {
              real
            }
          `,
          fetchPolicy: 'network-only',
        })
      const [first, second, third] = await Promise.all([
        real(),
        client.query({ query: document, variables: { id: '1' } }),
        client.query({
          query: gql`
            query Again {
              again: real
            }
          `,
        }),
      ])
      expect([first.data, second.data, third.data]).toMatchObject([
        { real: 'data of the server' },
        { user },
        { again: 'data of the server' },
      ])
    })

    test('sends hashes, of which a map knows the documents', async () => {
      const api = graphql.link(url, { persisted: { [await sha256('the document')]: query } })
      use(api.query('GetUser', () => HttpResponse.json({ data: { user: { ...user, __typename: 'User' } } })))
      const persisted = new PersistedQueryLink({ generateHash: () => sha256('the document') })
      const { data } = await create(ApolloLink.from([persisted, new HttpLink({ uri: url })])).query({
        query: document,
        variables: { id: '1' },
      })
      expect(data).toMatchObject({ user })
    })

    test('sends hashes, and the documents where a schema does not know them yet', async () => {
      const sent: string[][] = []
      use(
        graphql.schema('type User { id: ID! name: String! } type Query { user(id: ID!): User }', {
          rootValue: { user: () => user },
          context({ request: given, query: text }) {
            sent.push([given.method, text.replaceAll(/\s+/g, ' ')])
          },
        }),
      )
      const persisted = new PersistedQueryLink({ sha256 })
      const client = create(ApolloLink.from([persisted, new HttpLink({ uri: url })]))
      for (const id of ['1', '2']) {
        const asked = client.query({
          query: gql`
            query Find($id: ID!) {
              user(id: $id) {
                id
                name
              }
            }
          `,
          variables: { id },
        })
        expect((await asked).data).toMatchObject({ user })
      }
      expect(sent).toHaveLength(2)
    })

    test('subscribes by multipart responses', async () => {
      const results = create().subscribe({ query: gql(subscription), variables: { to: 2 } })
      expect(await collect(results)).toMatchObject(counted.map((data) => ({ data })))
    })
  })
}
