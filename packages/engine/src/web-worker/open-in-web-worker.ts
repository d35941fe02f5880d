import { print } from '../core/failure.ts'
import { abnormal } from '../ws/close-code.ts'
import { sizeOf } from '../ws/message-data.ts'
import { MockedSocket } from '../ws/mocked-socket.ts'
import { protocolsOf, readProtocols, resolveWebSocketUrl } from '../ws/web-socket-url.ts'
import { ask } from './ask-page.ts'
import { SocketChannel } from './socket-channel.ts'
import type { SocketAnswer } from './socket-messages.ts'
import { WebWorkerSocket } from './web-worker-socket.ts'

const broken = { code: abnormal, reason: '', wasClean: false, tellsError: true }

/**
 * Opens a WebSocket in a web worker. The app gets an object whose state is `CONNECTING` until the page of the web worker
 * has answered. Then either the page's handlers take the connection, or the platform opens it.
 *
 * @returns the object that acts for the app's; `undefined` if the platform decides at once
 */
export function openInWebWorker(
  native: typeof WebSocket,
  target: EventTarget,
  args: readonly unknown[],
): object | undefined {
  const url = resolveWebSocketUrl(args[0])
  // The platform's constructor rejects these arguments with its own error. A web worker with a `data:` URL has no page.
  if (!url || !readProtocols(args[1]) || !location.origin.startsWith('http')) return undefined

  /** The bytes that the app has sent, and the page has not received yet. */
  let underway = 0
  let waiting = 0
  let isAccepted = false
  const app = new MockedSocket(target, url.href, {
    onOpen() {},
    onMessage(data) {
      underway += sizeOf(data)
      channel.post({ type: 'send', data })
    },
    onClose: (code, reason) => channel.end({ type: 'close', code, reason }),
    bufferedAmount: () => underway + waiting,
  })
  const socket = new WebWorkerSocket(target, app)
  const channel = new SocketChannel({
    receive(message) {
      switch (message.type) {
        case 'open':
          isAccepted = true
          app.accept(message.protocol, message.extensions)
          return
        case 'message':
          app.receive(message.data)
          return
        case 'error':
          app.fail()
          return
        case 'received':
          underway -= message.bytes
          waiting = message.buffered
          return
        case 'close':
          if (isAccepted) app.closeByPeer(message)
          else app.refuse(message)
      }
    },
    lose: () => (isAccepted ? app.closeByPeer(broken) : app.refuse(broken)),
  })

  const askPage = async (): Promise<SocketAnswer> => {
    const isLocked = await channel.hold()
    const { name } = channel
    const protocols = protocolsOf(args[1]) ?? null
    return ask({ channel: name, isLocked, url: url.href, protocols, binaryType: app.binaryType })
  }
  const begin = (answer: SocketAnswer): void => {
    if (answer === 'mocked') {
      channel.begin()
      return
    }
    channel.release()
    if (app.isEnding) return
    try {
      socket.use(Reflect.construct(native, args) as WebSocket)
    } catch (error) {
      // The platform refuses the connection: a secure page must not open an insecure one.
      app.refuse(broken)
      throw error
    }
  }
  void askPage().then(begin, (error: unknown) => {
    channel.release()
    print.error(
      'US0618',
      `Failed to open a WebSocket to ${url.href} in a web worker: the page that mocks did not answer, or a Content Security ` +
        "Policy forbids asking it. The connection fails, because a handler might match it. Reload the page, or add connect-src 'self'.",
      error,
    )
    app.refuse(broken)
  })
  return socket
}
