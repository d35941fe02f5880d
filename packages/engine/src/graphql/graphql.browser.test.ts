import { ApolloClient, gql, HttpLink, InMemoryCache } from '@apollo/client'
import { createClient } from 'graphql-ws'
import { expect, inject, test, vi } from 'vitest'

import { describeSources } from '../browser/testing/describe-sources.ts'
import { delay } from '../core/responses/delay.ts'
import { HttpResponse } from '../core/responses/http-response.ts'
import { graphql } from './graphql.ts'

const upstream = `${inject('upstream')}/graphql`

function post(body: unknown, headers: Record<string, string> = {}, url = '/graphql'): Promise<Response> {
  return fetch(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
}

describeSources('GraphQL operations', ({ use }) => {
  test('by POST, by GET, and as uploads', async () => {
    use(
      graphql.query('GetUser', ({ variables }) => HttpResponse.json({ data: { id: variables['id'] } })),
      graphql.link('/graphql').mutation('Upload', async ({ variables }) => {
        const { name, size } = variables['file'] as File
        return HttpResponse.json({ data: { upload: [name, size] } })
      }),
    )
    const query = 'query GetUser($id: ID!) { user(id: $id) }'
    expect(await (await post({ query, variables: { id: '1' } })).json()).toEqual({ data: { id: '1' } })
    const search = new URLSearchParams({ query, variables: '{"id":"2"}' })
    expect(await (await fetch(`/graphql?${search.toString()}`)).json()).toEqual({ data: { id: '2' } })

    const form = new FormData()
    form.append('operations', JSON.stringify({ query: 'mutation Upload { upload }', variables: { file: null } }))
    form.append('map', '{"0":["variables.file"]}')
    form.append('0', new File([new Uint8Array(5)], 'a.bin'))
    const uploaded = await fetch('/graphql', { method: 'POST', body: form })
    expect(await uploaded.json()).toEqual({ data: { upload: ['a.bin', 5] } })
  })

  test('by Apollo Client, against a schema', async () => {
    use(
      graphql.schema('type Query { hello(to: String!): String }', {
        rootValue: { hello: ({ to }: { to: string }) => to },
      }),
    )
    const client = new ApolloClient({ cache: new InMemoryCache(), link: new HttpLink({ uri: '/graphql' }) })
    const { data } = await client.query({
      query: gql`
        {
          hello(to: "Ada")
        }
      `,
    })
    expect(data).toEqual({ hello: 'Ada' })
    await expect(
      client.query({
        query: gql`
          {
            nothing
          }
        `,
      }),
    ).rejects.toHaveProperty('name', 'CombinedGraphQLErrors')
  })

  test('in batches that the server answers in part', async () => {
    use(graphql.query('GetUser', () => HttpResponse.json({ data: { id: '1' } })))
    const batch = [{ query: 'query Real { real }' }, { query: 'query GetUser { user }' }]
    expect(await (await post(batch, {}, upstream)).json()).toEqual([
      { data: { real: 'data of the server' } },
      { data: { id: '1' } },
    ])
  })

  test('as subscriptions, whose results come one by one', async () => {
    const ended = vi.fn<() => void>()
    use(
      graphql.subscription('Count', async function* ({ finalize }) {
        finalize(ended)
        for (let count = 1; ; count += 1) {
          yield { data: { count } }
          await delay(5)
        }
      }),
    )
    const response = await post({ query: 'subscription Count { count }' }, { Accept: 'text/event-stream' })
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
    let text = ''
    while (!text.includes('"count":3')) text += (await reader?.read())?.value ?? ''
    expect(text).not.toContain('complete')
    await reader?.cancel()
    await vi.waitFor(() => expect(ended).toHaveBeenCalledOnce())
  })

  test('as subscriptions of an EventSource', async () => {
    use(graphql.subscription('Count', () => [{ data: { count: 1 } }, { data: { count: 2 } }]))
    const source = new EventSource(`/graphql?query=${encodeURIComponent('subscription Count { count }')}`)
    const events: unknown[] = []
    await new Promise((resolve) => {
      source.addEventListener('next', ({ data }: MessageEvent<string>) => events.push(JSON.parse(data)))
      source.addEventListener('complete', resolve)
    })
    source.close()
    expect(events).toEqual([{ data: { count: 1 } }, { data: { count: 2 } }])
  })

  test('as subscriptions over a WebSocket', async () => {
    use(graphql.link('/graphql').subscription('Count', () => [{ data: { count: 1 } }]))
    const client = createClient({ url: `ws://${location.host}/graphql`, retryAttempts: 0 })
    const events: unknown[] = []
    for await (const event of client.iterate({ query: 'subscription Count { count }' })) events.push(event)
    await client.dispose()
    expect(events).toEqual([{ data: { count: 1 } }])
  })
})
