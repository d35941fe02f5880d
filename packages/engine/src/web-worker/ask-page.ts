import { socketPath } from '../worker/protocol.ts'
import { answerHeader, type SocketAnswer, type SocketQuestion } from './socket-messages.ts'

// The app may replace it later.
const { fetch } = globalThis

/**
 * Asks the page of this web worker who opens a WebSocket. While that page starts, the service worker holds the request.
 *
 * @throws if the page has closed, or if nothing answers at all
 */
export async function ask(question: SocketQuestion): Promise<SocketAnswer> {
  const body = JSON.stringify(question)
  const { headers } = await fetch(location.origin + socketPath, { method: 'POST', body })
  return headers.get(answerHeader) === 'mocked' ? 'mocked' : 'unmocked'
}
