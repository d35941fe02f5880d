import { beforeEach, expect, test } from 'vitest'

import { HttpResponse } from '../../core/responses/http-response.ts'
import { graphql } from '../graphql.ts'
import { checkApolloClient } from './clients/apollo-client.ts'
import { checkGraphqlRequest } from './clients/graphql-request.ts'
import { checkMalformedRequests } from './clients/malformed-requests.ts'
import { checkRelay } from './clients/relay.ts'
import { query, url, user, type Use } from './clients/sample-operations.ts'
import { checkUrql } from './clients/urql.ts'

/**
 * Tests the same operations with every GraphQL client.
 *
 * @param upstream the origin of the real server
 * @param use adds handlers until the test ends. Operations that they do not match go to the real server
 */
export function checkClients(upstream: string, use: Use): void {
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

  checkMalformedRequests(upstream, use)
  checkApolloClient(upstream, use)
  checkUrql()
  checkGraphqlRequest()
  checkRelay(use)
}
