import { afterEach, expect, inject, test } from 'vitest'

import { Network } from '../../core/network/network.ts'
import { readUnhandledPolicy } from '../../core/unhandled/unhandled-request.ts'
import { pageLock, socketChannel } from '../../web-worker/socket-messages.ts'
import { ws } from '../../ws/ws.ts'
import { answerWebWorker } from './web-worker-sockets.ts'

const upstream = inject('upstream').replace('http', 'ws')
const native = WebSocket
afterEach(() => {
  globalThis.WebSocket = native
})

test('a web worker opens its WebSocket itself if the handler is removed while the page answers', async () => {
  const opened: string[] = []
  globalThis.WebSocket = class extends native {
    constructor(url: string | URL, protocols?: string | string[]) {
      super(url, protocols)
      opened.push(String(url))
    }
  }
  const channel = socketChannel + crypto.randomUUID()
  const question = { channel, isLocked: false, url: `${upstream}/greet`, protocols: null, binaryType: 'blob' }
  const handler = ws.link(`${upstream}/greet`).addEventListener('connection', () => {})
  const network = new Network([handler], { unhandled: readUnhandledPolicy({ onUnhandledRequest: 'bypass' }) })
  const answer = answerWebWorker(1, network, new TextEncoder().encode(JSON.stringify(question)).buffer)
  network.layers.reset([ws.link(`${upstream}/other`).addEventListener('connection', () => {})])
  expect(await answer).toMatchObject({ response: { headers: [['understudy-web-socket', 'unmocked']] } })
  expect(opened).toEqual([])
  // Others get the page's lock.
  await navigator.locks.request(pageLock(channel), () => {})
})
