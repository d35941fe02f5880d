import { cacheExchange, Client, fetchExchange, subscriptionExchange, type SubscriptionForwarder } from '@urql/core'
import { createClient as createSseClient } from 'graphql-sse'
import { afterAll, describe, expect, test } from 'vitest'

import { counted, query, subscription, url, user } from './sample-operations.ts'

export function checkUrql(): void {
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
}
