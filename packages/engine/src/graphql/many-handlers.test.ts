import { expect, test } from 'vitest'

import { Candidates } from '../core/handlers/candidates.ts'
import { HandlerLayers } from '../core/handlers/handler-layers.ts'
import { IncomingRequest } from '../core/handlers/incoming-request.ts'
import { HttpResponse } from '../core/responses/http-response.ts'
import { http } from '../http/http.ts'
import { graphql } from './graphql.ts'
import { endpoint, post } from './testing/graphql-request.ts'

const thousand = Array.from({ length: 1000 }, (_, index) => index)
const answer = () => HttpResponse.json({ data: {} })

async function candidatesOf(layers: HandlerLayers, request: Request): Promise<string[]> {
  const found: string[] = []
  const candidates = new Candidates(layers, new IncomingRequest(request, '1', undefined, undefined))
  for (let entry = await candidates.next(); entry; entry = await candidates.next()) {
    found.push(entry.handler.info.header)
  }
  return found
}

test('only those of a thousand handlers that could match are asked', async () => {
  const linked = graphql.link(endpoint)
  const layers = new HandlerLayers([
    ...thousand.map((index) => graphql.query(`Query${index}`, answer)),
    http.post(endpoint, answer),
    ...thousand.map((index) => linked.mutation(`Mutation${index}`, answer)),
    graphql.operation(answer),
    linked.query('Query500', answer),
  ])
  layers.use([graphql.query('Query500', answer), graphql.query('Query501', answer)])

  expect(await candidatesOf(layers, post('query Query500 { a }'))).toEqual([
    'query Query500',
    'query Query500',
    `POST ${endpoint}`,
    'operation',
    `query Query500 (${endpoint})`,
  ])
  expect(await candidatesOf(layers, post('mutation Mutation7 { a }'))).toEqual([
    `POST ${endpoint}`,
    `mutation Mutation7 (${endpoint})`,
    'operation',
  ])
  expect(await candidatesOf(layers, post({ rest: true }))).toEqual([`POST ${endpoint}`, 'operation'])
  // A handler without an endpoint is not a candidate for a GET without a query in its URL. Otherwise, each asset of a page would reach it.
  expect(await candidatesOf(layers, new Request('https://example.com/logo.png'))).toEqual([])
})
