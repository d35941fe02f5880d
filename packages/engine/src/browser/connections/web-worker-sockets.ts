import type { Network } from '../../core/network/network.ts'
import { later } from '../../core/real-time.ts'
import {
  answerHeader,
  isMessageOfWorker,
  pageLock,
  parseQuestion,
  type MessageOfPage,
  type SocketAnswer,
  type SocketQuestion,
} from '../../web-worker/socket-messages.ts'
import type { PageDecision } from '../../worker/protocol.ts'
import { toReason } from '../../ws/close-code.ts'
import { sizeOf, type WebSocketData } from '../../ws/message-data.ts'
import type { MockedSocket } from '../../ws/mocked-socket.ts'
import { findMatches, openConnection } from '../../ws/open-connection.ts'
import { reportCall } from '../../ws/report-connection.ts'
import { createReplacement, isConcerned } from '../../ws/web-socket-class.ts'
import { webSocketEntries } from '../../ws/web-socket-side.ts'
import { readProtocols } from '../../ws/web-socket-url.ts'
import { getGate } from '../gate/gate.ts'
import { HeldLock } from '../lifecycle/held-lock.ts'
import { isOfTool } from './web-socket-source.ts'

/** The interval at which a web worker learns how many of its bytes still wait for the real server. */
const bufferInterval = 50

/**
 * Answers a web worker that opens a WebSocket. If a handler or the policy for unhandled requests takes the connection, it
 * is to them a connection of this page.
 *
 * @param id the number of the service worker's message
 * @param body the web worker's question
 */
export async function answerWebWorker(id: number, network: Network, body: ArrayBuffer | null): Promise<PageDecision> {
  const answer = await open(network, body)
  const response = { status: 204, statusText: '', headers: [[answerHeader, answer] as const], body: null }
  return { type: 'mocked', id, response }
}

async function open(network: Network, body: ArrayBuffer | null): Promise<SocketAnswer> {
  const question = parseQuestion(body)
  const protocols = question && readProtocols(question.protocols ?? undefined)
  if (!question || !protocols) return 'unmocked'
  const native = getGate()?.natives.WebSocket ?? WebSocket
  const args = [question.url, question.protocols ?? undefined]
  if (isOfTool(args) || !isConcerned(network)) return 'unmocked'
  const networks = [network]
  const entries = webSocketEntries(network)
  if (findMatches(network, new URL(question.url), protocols).length === 0 && !network.unhandled.decides) {
    reportCall({ args, networks })
    return 'unmocked'
  }
  const lock = new HeldLock()
  lock.hold(pageLock(question.channel))
  await lock.held
  let app: MockedSocket | undefined
  const Socket = createReplacement(native, (target) => {
    const openMocked = entries[0]?.side['~open'] ?? openConnection
    app = openMocked({ socket: target, args, native, networks }) as MockedSocket | undefined
    // Without an object, the page would open a connection of the platform.
    return app ?? {}
  })
  const socket = new Socket(question.url, question.protocols as string[])
  if (!app) {
    // The handler was removed while the page waited for its lock.
    lock.release()
    return 'unmocked'
  }
  relay(socket, app, question, lock)
  return 'mocked'
}

/** Connects the messages of a web worker with a socket of this page. */
function relay(
  socket: WebSocket,
  app: MockedSocket,
  { channel: name, isLocked, binaryType }: SocketQuestion,
  lock: HeldLock,
): void {
  const channel = new BroadcastChannel(name)
  let isReleased = false
  const post = (message: MessageOfPage): void => {
    if (!isReleased) channel.postMessage(message)
  }
  const release = (): void => {
    isReleased = true
    channel.close()
    lock.release()
  }
  let received = 0
  let isReporting = false
  const report = (): void => {
    isReporting = false
    const { bufferedAmount } = socket
    post({ type: 'received', bytes: received, buffered: bufferedAmount })
    received = 0
    if (bufferedAmount > 0) reportLater(bufferInterval)
  }
  const reportLater = (milliseconds: number): void => {
    if (isReporting || socket.readyState !== socket.OPEN) return
    isReporting = true
    later(report, milliseconds)
  }
  let tellsError = false

  socket.binaryType = binaryType
  socket.addEventListener('open', () => {
    post({ type: 'open', protocol: socket.protocol, extensions: socket.extensions })
  })
  socket.addEventListener('message', ({ data }: MessageEvent<WebSocketData>) => post({ type: 'message', data }))
  socket.addEventListener('error', () => {
    // The event that precedes the event `close` arrives with it.
    if (socket.readyState === socket.CLOSED) tellsError = true
    else post({ type: 'error' })
  })
  socket.addEventListener('close', ({ code, reason, wasClean }) => {
    post({ type: 'close', code, reason, wasClean, tellsError })
    // Otherwise, the web worker releases its lock when it has this message.
    if (!isLocked) later(release, bufferInterval)
  })
  channel.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
    if (!isMessageOfWorker(data)) return
    if (data.type === 'send') {
      if (socket.readyState !== socket.OPEN) return
      received += sizeOf(data.data)
      socket.send(data.data)
      reportLater(0)
    } else if (data.code === 1000 || (data.code >= 3000 && data.code < 5000)) {
      socket.close(data.code, toReason(data.reason))
    } else socket.close()
  })
  if (!isLocked) return
  const end = (): void => {
    const gone = { code: 1001, reason: '', wasClean: true, tellsError: false }
    // The web worker was terminated: a browser closes its connections with this code.
    if (app.isOpen) app.closeByPeer(gone)
    else app.refuse(gone)
    release()
  }
  navigator.locks.request(name, end).catch(() => {})
}
