import { expect, test, vi } from 'vitest'

import { bypass } from '../core/responses/bypass.ts'
import { HttpResponse } from '../core/responses/http-response.ts'
import { passthrough } from '../core/responses/passthrough.ts'
import { graphql } from '../graphql/graphql.ts'
import { http } from '../http/http.ts'
import { describeSources, type RunningSource } from './testing/describe-sources.ts'

/** Records the events of requests to a path. */
function listen({ worker }: RunningSource, path: string): { lines: string[]; hear(count: number): Promise<string[]> } {
  const lines: string[] = []
  for (const name of ['request:start', 'request:match', 'request:unhandled', 'request:end'] as const) {
    worker.events.on(name, ({ request }) => {
      if (new URL(request.url).pathname === path) lines.push(name)
    })
  }
  for (const name of ['response:mocked', 'response:bypass'] as const) {
    worker.events.on(name, ({ request, response }) => {
      if (new URL(request.url).pathname === path) lines.push(`${name} ${response.url.replace(location.origin, '')}`)
    })
  }
  return {
    lines,
    hear: async (count) => {
      await expect.poll(() => lines.length).toBe(count)
      worker.events.removeAllListeners()
      return lines
    },
  }
}

/**
 * Waits until the worker knows the listeners. Requests are held until then, but not those that bypass the handlers: a
 * resolver may wait for one.
 */
async function untilWorkerKnows(): Promise<void> {
  await fetch('/events/held')
}

describeSources('events of requests', (source) => {
  test('a mocked response has the URL of its request, without a fragment', async () => {
    source.use(http.get('/events/mocked', () => HttpResponse.text('mocked')))
    const { hear } = listen(source, '/events/mocked')
    await fetch('/events/mocked?page=1#part')
    expect(await hear(4)).toEqual([
      'request:start',
      'request:match',
      'request:end',
      'response:mocked /events/mocked?page=1',
    ])
  })

  test('a response of the network has its URL', async () => {
    source.use(http.get('/understudy-worker.js', () => passthrough()))
    const { hear } = listen(source, '/understudy-worker.js')
    await fetch('/understudy-worker.js?events')
    expect(await hear(4)).toEqual([
      'request:start',
      'request:match',
      'request:end',
      'response:bypass /understudy-worker.js?events',
    ])
  })

  test('a request that bypasses the handlers emits events', async () => {
    source.use(http.get('/understudy-worker.js', () => HttpResponse.text('mocked')))
    const { hear } = listen(source, '/understudy-worker.js')
    await untilWorkerKnows()
    const response = await fetch(bypass('/understudy-worker.js?bypassed'))
    expect(await response.text()).not.toBe('mocked')
    expect(await hear(3)).toEqual(['request:start', 'request:end', 'response:bypass /understudy-worker.js?bypassed'])
  })

  test('a request that bypasses the handlers has its body', async () => {
    source.use(http.post('/events/echo', async ({ request }) => HttpResponse.text(await request.text())))
    const sent: string[] = []
    source.worker.events.on('request:start', async ({ request }) => {
      if (request.url.endsWith('bypassed-body')) sent.push(`${request.method} ${await request.text()}`)
    })
    await untilWorkerKnows()
    const request = new Request('/understudy-worker.js?bypassed-body', { method: 'POST', body: 'the body' })
    await fetch(bypass(request))
    await expect.poll(() => sent).toEqual(['POST the body'])
    source.worker.events.removeAllListeners()
  })
})

describeSources('the console', (source) => {
  test('a GraphQL response is logged with the operation’s type and name', async () => {
    const lines: string[] = []
    vi.spyOn(console, 'groupCollapsed').mockImplementation((line: string) => void lines.push(line))
    for (const level of ['info', 'log'] as const) vi.spyOn(console, level).mockImplementation(() => {})
    source.worker.stop()
    await source.worker.start({
      onUnhandledRequest: 'bypass',
      serviceWorker: { url: '/understudy-worker.js', options: { scope: '/' } },
    })
    source.use(
      graphql.query('GetUser', () => HttpResponse.json({ data: {} })),
      http.get('/events/plain', () => HttpResponse.text('mocked')),
    )
    const body = JSON.stringify({ query: 'query GetUser { user }' })
    await fetch('/graphql', { method: 'POST', headers: { 'content-type': 'application/json' }, body })
    await fetch('/events/plain')
    expect(lines).toEqual([
      expect.stringMatching(/^\[understudy\] query GetUser: POST \/graphql %c200 OK%c/),
      expect.stringMatching(/^\[understudy\] GET \/events\/plain %c200 OK%c/),
    ])
  })
})
