/** The helpers of the scenarios in Chromium. `test/run-in-chromium.ts` bundles them with each library. */
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
  /** Returns the outcome of a request, without the texts of errors, which differ between libraries. */
  async ask(url, init) {
    try {
      const response = await fetch(url, init)
      return `${response.status} ${await response.text()}`
    } catch (error) {
      return error.name
    }
  },
  /** A connection with its received messages. */
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
