import { ApolloClient, ApolloLink, gql, HttpLink, InMemoryCache, ServerError } from '@apollo/client'
import { BatchHttpLink } from '@apollo/client/link/batch-http'
import { PersistedQueryLink } from '@apollo/client/link/persisted-queries'
import { cacheExchange, Client, fetchExchange, subscriptionExchange, type SubscriptionForwarder } from '@urql/core'
import { gql as request, GraphQLClient } from 'graphql-request'
import { createClient as createSseClient } from 'graphql-sse'
import { createClient as createWsClient } from 'graphql-ws'
import {
  Environment,
  fetchQuery,
  Network,
  Observable,
  RecordSource,
  Store,
  type ConcreteRequest,
  type GraphQLResponse,
} from 'relay-runtime'
import { afterAll, beforeEach, describe, expect, test, vi } from 'vitest'

import type { Handler } from '../../core/handlers/request-handler.ts'
import { HttpResponse } from '../../core/responses/http-response.ts'
import { graphql } from '../graphql.ts'

const url = 'https://api.example.com/graphql'
const query = 'query GetUser($id: ID!) { user(id: $id) { id name } }'
const document = gql(query)
const user = { id: '1', name: 'Ada' }
const sha256 = (text: string): Promise<string> =>
  crypto.subtle
    .digest('SHA-256', new TextEncoder().encode(text))
    .then((bytes) => Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, '0')).join(''))

async function collect(results: {
  subscribe(observer: { next(value: unknown): void; error(error: unknown): void; complete(): void }): unknown
}): Promise<unknown[]> {
  const found: unknown[] = []
  await new Promise<void>((resolve, reject) => {
    results.subscribe({
      next: (value) => void found.push(value),
      error: (error) => reject(error instanceof Error ? error : new Error(JSON.stringify(error))),
      complete: resolve,
    })
  })
  return found
}

const subscription = 'subscription Count($to: Int!) { count(to: $to) }'
const counted = [{ count: 1 }, { count: 2 }]

/**
 * Tests the same operations with every GraphQL client.
 *
 * @param upstream the origin of the real server
 * @param use adds handlers until the test ends. Operations that they do not match go to the real server
 */
export function checkClients(upstream: string, use: (...handlers: Handler[]) => void): void {
  beforeEach(() =>
    use(
      graphql.query('GetUser', ({ variables }) =>
        variables['id'] === '0'
          ? HttpResponse.json({ errors: [{ message: 'no such user', path: ['user'] }], data: { user: null } })
          : HttpResponse.json({ data: { user: { ...user, id: variables['id'] as string, __typename: 'User' } } }),
      ),
      graphql.mutation('Upload', async ({ variables }) => {
        const file = variables['file'] as File
        return HttpResponse.json({ data: { upload: `${file.name}: ${await file.text()}` } })
      }),
      graphql.subscription('Count', async function* ({ variables }) {
        for (let count = 1; count <= Number(variables['to']); count += 1)
          yield await Promise.resolve({ data: { count } })
      }),
    ),
  )

  test('fetch', async () => {
    const body = JSON.stringify({ query, variables: { id: '1' } })
    const response = await fetch(url, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body })
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/json'])
    expect(await response.json()).toMatchObject({ data: { user } })
  })

  describe('a malformed request reaches the server, and the console says why', () => {
    const form = (map: string): FormData => {
      const body = new FormData()
      body.append('operations', '{"query":"mutation Upload { upload }","variables":{"file":null}}')
      body.append('map', map)
      body.append('0', new File(['text'], 'note.txt'))
      return body
    }

    test.each<[name: string, body: string | FormData, problem: string]>([
      ['a malformed document', '{"query":"query GetUser {"}', 'its document is malformed'],
      [
        'variables that are not an object',
        '{"query":"query GetUser { user }","variables":[1]}',
        'its "variables" are not an object',
      ],
      ['a map that is not JSON', form('{'), 'map'],
      ['a map with a path that does not exist', form('{"0":["variables.other.file"]}'), 'map'],
      ['a map with a path into the prototype', form('{"0":["variables.__proto__.polluted"]}'), 'map'],
    ])('%s', async (_name, body, problem) => {
      const warn = vi.spyOn(console, 'warn').mockReturnValue(undefined)
      const link = graphql.link(`${upstream}/any`)
      use(
        link.query('GetUser', () => HttpResponse.json({ data: {} })),
        link.mutation('Upload', () => HttpResponse.json({ data: {} })),
      )
      const headers = { ...(typeof body === 'string' && { 'Content-Type': 'application/json' }) }
      const response = await fetch(`${upstream}/any`, { method: 'POST', headers, body })
      // The real server answers every request in this way.
      expect([response.status, await response.text()]).toEqual([200, '[]'])
      expect(warn.mock.calls.join('\n')).toContain(problem)
      expect({}).not.toHaveProperty('polluted')
      warn.mockRestore()
    })
  })

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

  describe('urql', () => {
    const create = (options: { preferGetMethod?: boolean; isByFetch?: boolean } = {}): Client =>
      new Client({
        url,
        exchanges: [
          cacheExchange,
          ...(options.isByFetch ? [] : [subscriptionExchange({ forwardSubscription })]),
          fetchExchange,
        ],
        ...(options.isByFetch && { fetchSubscriptions: true }),
        preferGetMethod: options.preferGetMethod ?? false,
      })
    // Create the clients when mocking is on: a client that stores `fetch` earlier would use the platform's.
    const createSse = () => createSseClient({ url })
    let sse: ReturnType<typeof createSse> | undefined
    const forwardSubscription: SubscriptionForwarder = ({ query: text = '', variables }) => ({
      subscribe: (sink) => ({
        unsubscribe: (sse ??= createSse()).subscribe(
          { query: text, variables: variables as Record<string, unknown> },
          sink as never,
        ),
      }),
    })
    afterAll(() => sse?.dispose())

    test.each([true, false])('queries (by GET: %s)', async (preferGetMethod) => {
      const { data, error } = await create({ preferGetMethod }).query<unknown>(query, { id: '1' })
      expect(error).toBeUndefined()
      expect(data).toMatchObject({ user })
    })

    test('gets errors', async () => {
      const { error } = await create().query(query, { id: '0' })
      expect(error?.graphQLErrors[0]?.message).toBe('no such user')
    })

    test('uploads', async () => {
      const { data } = await create().mutation<unknown>('mutation Upload($file: Upload!) { upload(file: $file) }', {
        file: new File(['text'], 'note.txt'),
      })
      expect(data).toEqual({ upload: 'note.txt: text' })
    })

    test.each([true, false])('subscribes by event streams (by its own fetch: %s)', async (isByFetch) => {
      const results: unknown[] = []
      await new Promise<void>((resolve) => {
        create({ isByFetch })
          .subscription(subscription, { to: 2 })
          .subscribe(({ data, hasNext }) => {
            if (data) results.push(data)
            if (!hasNext || results.length === 2) resolve()
          })
      })
      expect(results).toEqual(counted)
    })
  })

  describe('graphql-request', () => {
    test('queries and uploads nothing it should not', async () => {
      const client = new GraphQLClient(url)
      expect(
        await client.request(request`query GetUser($id: ID!) { user(id: $id) { id name } }`, { id: '1' }),
      ).toMatchObject({
        user,
      })
    })

    test('gets errors', async () => {
      await expect(new GraphQLClient(url).request(query, { id: '0' })).rejects.toMatchObject({
        response: { errors: [{ message: 'no such user' }] },
      })
    })

    test('batches', async () => {
      const answers = await new GraphQLClient(url).batchRequests([
        { document: query, variables: { id: '1' } },
        { document: query, variables: { id: '2' } },
      ])
      expect(answers).toMatchObject([{ data: { user: { id: '1' } } }, { data: { user: { id: '2' } } }])
    })
  })

  describe("Relay's network layer", () => {
    // The output of Relay's compiler for the query.
    const field = (name: string) => ({ alias: null, args: null, kind: 'ScalarField', name, storageKey: null })
    const selections = [
      {
        alias: null,
        args: [{ kind: 'Variable', name: 'id', variableName: 'id' }],
        concreteType: 'User',
        kind: 'LinkedField',
        name: 'user',
        plural: false,
        selections: [field('id'), field('name')],
        storageKey: null,
      },
    ]
    const argumentDefinitions = [{ defaultValue: null, kind: 'LocalArgument', name: 'id' }]
    const compile = (params: { id: string | null; text: string | null }): ConcreteRequest =>
      ({
        fragment: {
          argumentDefinitions,
          kind: 'Fragment',
          metadata: null,
          name: 'GetUser',
          selections,
          type: 'Query',
          abstractKey: null,
        },
        kind: 'Request',
        operation: { argumentDefinitions, kind: 'Operation', name: 'GetUser', selections },
        params: { ...params, cacheID: 'a', metadata: {}, name: 'GetUser', operationKind: 'query' },
      }) as unknown as ConcreteRequest

    const environment = new Environment({
      store: new Store(new RecordSource()),
      network: Network.create(
        async ({ text, id }, variables) => {
          const response = await fetch(url, {
            method: 'POST',
            headers: { 'Content-Type': 'application/json' },
            body: JSON.stringify(text === null ? { doc_id: id, variables } : { query: text, variables }),
          })
          return (await response.json()) as GraphQLResponse
        },
        ({ text }, variables) =>
          Observable.create((sink) => {
            const client = createWsClient({ url: url.replace('http', 'ws'), webSocketImpl: WebSocket })
            return client.subscribe({ query: text ?? '', variables }, sink as never)
          }),
      ),
    })
    const ask = (params: { id: string | null; text: string | null }): Promise<unknown> =>
      fetchQuery(environment, compile(params) as never, { id: '1' }).toPromise()

    test('queries', async () => {
      expect(await ask({ id: null, text: query })).toEqual({ user })
    })

    test('sends the ids of persisted queries', async () => {
      const api = graphql.link(url, { persisted: { 'query-1': query } })
      use(api.query('GetUser', () => HttpResponse.json({ data: { user: { ...user, name: 'Grace' } } })))
      expect(await ask({ id: 'query-1', text: null })).toEqual({ user: { id: '1', name: 'Grace' } })
    })

    test('subscribes by WebSocket', async () => {
      const network = environment.getNetwork()
      const params = {
        name: 'Count',
        operationKind: 'subscription',
        text: subscription,
        id: null,
        cacheID: 'b',
        metadata: {},
      }
      const results = network.execute(params as never, { to: 2 }, {}, null)
      expect(await collect(results as never)).toEqual(counted.map((data) => ({ data })))
    })
  })
}
