import { gql, GraphQLClient } from 'graphql-request'
import { describe, expect, test } from 'vitest'

import { query, url, user } from './sample-operations.ts'

export function checkGraphqlRequest(): void {
  describe('graphql-request', () => {
    test('queries', async () => {
      const client = new GraphQLClient(url)
      expect(
        await client.request(
          gql`
            query GetUser($id: ID!) {
              user(id: $id) {
                id
                name
              }
            }
          `,
          { id: '1' },
        ),
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
}
