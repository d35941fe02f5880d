import { describe, expect, test, vi } from 'vitest'

import type { ResultFrame } from '../response/result-format.ts'
import { graphqlTransportWs, subscriptionsTransportWs } from './subscription-protocol.ts'
import { Upstream } from './upstream.ts'

function open(protocol = graphqlTransportWs) {
  const sent: unknown[] = []
  const connect = vi.fn<() => void>()
  const upstream = new Upstream(protocol, {
    connect,
    send: (message) => sent.push(JSON.parse(message)),
    connectionParams: () => ({ token: 'a' }),
  })
  const receive = (...messages: object[]): void => {
    for (const message of messages) upstream.receive(JSON.stringify(message))
  }
  const perform = (id: string, signal = new AbortController().signal) => {
    const frames: ResultFrame[] = []
    const done = (async () => {
      for await (const frame of upstream.perform({ id, body: { query: id } }, signal)) frames.push(frame)
    })()
    return { frames, done }
  }
  return { upstream, receive, perform, sent, connect }
}

const init = { type: 'connection_init', payload: { token: 'a' } }

describe('an upstream', () => {
  test('connects once, and sends concurrent operations', async () => {
    const { upstream, receive, perform, sent, connect } = open()
    const [first, second] = [perform('1'), perform('2')]
    expect(connect).toHaveBeenCalledOnce()
    upstream.opened()
    receive({ type: 'connection_ack' })
    await vi.waitFor(() => expect(sent).toHaveLength(3))
    expect(sent).toEqual([
      init,
      { id: '1', type: 'subscribe', payload: { query: '1' } },
      { id: '2', type: 'subscribe', payload: { query: '2' } },
    ])
    receive(
      { id: '2', type: 'next', payload: { data: 2 } },
      { id: '1', type: 'next', payload: { data: 1 } },
      { id: '1', type: 'complete' },
      { id: '2', type: 'error', payload: [{ message: 'no' }] },
      { id: '3', type: 'next', payload: { data: 3 } },
    )
    await Promise.all([first.done, second.done])
    expect(first.frames).toEqual([{ type: 'next', payload: { data: 1 } }, { type: 'complete' }])
    expect(second.frames).toEqual([
      { type: 'next', payload: { data: 2 } },
      { type: 'error', payload: [{ message: 'no' }] },
    ])
    expect(sent).toHaveLength(3)
  })

  test('ends an operation that is no longer needed', async () => {
    const { upstream, receive, perform, sent } = open()
    const controller = new AbortController()
    const { frames, done } = perform('1', controller.signal)
    upstream.opened()
    receive({ type: 'connection_ack' })
    await vi.waitFor(() => expect(sent).toHaveLength(2))
    controller.abort()
    await done
    expect(frames).toEqual([])
    expect(sent.at(-1)).toEqual({ id: '1', type: 'complete' })
  })

  test('starts no operation that was aborted before the connection opened', async () => {
    const { upstream, receive, perform, sent } = open()
    const controller = new AbortController()
    const { done } = perform('1', controller.signal)
    controller.abort()
    upstream.opened()
    receive({ type: 'connection_ack' })
    await done
    expect(sent).toEqual([init])
  })

  test('speaks the older protocol, too', async () => {
    const { upstream, receive, perform, sent } = open(subscriptionsTransportWs)
    const { frames, done } = perform('1')
    upstream.opened()
    receive({ type: 'connection_ack' }, { type: 'ka' })
    await vi.waitFor(() => expect(sent).toHaveLength(2))
    receive({ id: '1', type: 'data', payload: { data: 1 } }, { id: '1', type: 'error', payload: { message: 'no' } })
    await done
    expect(sent[1]).toMatchObject({ type: 'start' })
    expect(frames).toEqual([
      { type: 'next', payload: { data: 1 } },
      { type: 'error', payload: [{ message: 'no' }] },
    ])
  })

  test('answers pings, and ignores data that is not a message', () => {
    const { upstream, receive, sent } = open()
    receive({ type: 'ping' })
    upstream.receive('{')
    upstream.receive(new ArrayBuffer(1))
    expect(sent).toEqual([{ type: 'pong' }])
  })

  test('fails operations when the connection closes, and connects again for the next', async () => {
    const { upstream, receive, perform, connect } = open()
    const waiting = perform('1')
    upstream.closed('refused')
    await expect(waiting.done).rejects.toThrow('refused')
    const running = perform('2')
    upstream.opened()
    receive({ type: 'connection_ack' })
    await vi.waitFor(() => {
      receive({ id: '2', type: 'next', payload: { data: 2 } })
      expect(running.frames).not.toHaveLength(0)
    })
    upstream.closed('lost')
    await running.done
    expect(running.frames.at(-1)).toEqual({ type: 'error', payload: [{ message: 'lost' }] })
    expect(connect).toHaveBeenCalledTimes(2)
  })
})
