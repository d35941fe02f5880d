/** What the scenarios in Chromium use: `test/run-in-chromium.ts` bundles it with each library. */
import * as library from 'library'
import { setupWorker } from 'library/browser'

const printed = []
for (const method of ['log', 'info', 'warn', 'error', 'groupCollapsed', 'group', 'debug']) {
  console[method] = (...values) => printed.push([method, values.map(String).join(' ')])
}
addEventListener('unhandledrejection', (event) => event.preventDefault())

globalThis.kit = {
  ...library,
  setupWorker,
  printed,
  /** What a request came to. The texts of errors are each library's own. */
  async ask(url, init) {
    try {
      const response = await fetch(url, init)
      return `${response.status} ${await response.text()}`
    } catch (error) {
      return error.name
    }
  },
  /** A connection, with what it received. */
  connect(url) {
    return new Promise((resolve, reject) => {
      const received = []
      const socket = new WebSocket(url)
      socket.addEventListener('message', ({ data }) => received.push(data))
      socket.addEventListener('open', () => resolve({ socket, received }))
      socket.addEventListener('error', () => reject(new Error('The connection failed.')))
    })
  },
  later: (ms = 100) => new Promise((resolve) => setTimeout(resolve, ms)),
}
