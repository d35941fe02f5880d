import { createClient } from 'graphql-ws'
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
import { describe, expect, test } from 'vitest'

import { HttpResponse } from '../../../core/responses/http-response.ts'
import { graphql } from '../../graphql.ts'
import { collect, counted, query, subscription, url, user, type Use } from './sample-operations.ts'

export function checkRelay(use: Use): void {
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
            const client = createClient({ url: url.replace('http', 'ws'), webSocketImpl: WebSocket })
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
