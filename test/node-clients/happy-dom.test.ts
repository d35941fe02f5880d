// @vitest-environment happy-dom
import { http, HttpResponse, ws } from '@understudy/engine'
import { setupServer } from '@understudy/engine/node'
import { expect, test } from 'vitest'

import { checkClient } from './check-client.ts'
import { checkXmlHttpRequest } from './check-xml-http-request.ts'
import { toFetchClient } from './fetch-client.ts'
import { xmlHttpRequestClient } from './xml-http-request-client.ts'

// Its cache throws for a 304 that it did not request.
const limits = { statuses: [204, 401, 404, 500], hidesSetCookie: true }
const fetchClient = {
  ...toFetchClient((url, init) => fetch(url, init)),
  ...limits,
  // It continues to read after the stream was cancelled.
  leavesStreams: false,
}
const elsewhere = { origin: () => 'http://api.test', sendsCookies: false }

checkClient('XMLHttpRequest of happy-dom', { ...xmlHttpRequestClient, ...limits })
checkClient('XMLHttpRequest of happy-dom to another origin', { ...xmlHttpRequestClient, ...limits, ...elsewhere })
checkClient('fetch of happy-dom', { ...fetchClient, origin: () => location.origin })
checkClient('fetch of happy-dom to another origin', { ...fetchClient, ...elsewhere })

checkXmlHttpRequest('happy-dom', { states: [1, 3, 2, 4], readsDocuments: false, timesOut: false })

test('WebSocket of happy-dom', async () => {
  const server = setupServer(
    ws.link('wss://chat.test/:room').addEventListener('connection', ({ client, params }) => {
      client.send(`Welcome to ${params['room']}`)
      client.addEventListener('message', ({ data }) => {
        client.send(data)
        client.close(1000, 'done')
      })
    }),
  )
  server.listen()
  try {
    const socket = new WebSocket('wss://chat.test/5')
    expect([socket.url, socket.readyState]).toEqual(['wss://chat.test/5', WebSocket.CONNECTING])
    socket.binaryType = 'arraybuffer'
    const events: unknown[] = []
    socket.onopen = () => {
      events.push(`open ${socket.readyState}`)
      socket.send(Uint8Array.of(1, 2))
    }
    socket.onmessage = ({ data }) => events.push(data)
    await new Promise<void>((resolve) => {
      socket.addEventListener('close', ({ code, reason }) => {
        events.push(`close ${code} ${reason}`)
        resolve()
      })
    })
    expect(events).toEqual(['open 1', 'Welcome to 5', Uint8Array.of(1, 2).buffer, 'close 1000 done'])
    expect(socket.readyState).toBe(WebSocket.CLOSED)
  } finally {
    server.close()
  }
})

/** Changes the URL of happy-dom's page. */
function setUrl(url: string): void {
  const { happyDOM } = globalThis as unknown as { happyDOM: { setURL: (url: string) => void } }
  happyDOM.setURL(url)
}

test('a page without a URL, as of a global registrator without options', async () => {
  const server = setupServer(
    http.post('http://api.test/plays', async ({ request }) => HttpResponse.json({ added: await request.json() })),
  )
  const url = location.href
  setUrl('about:blank')
  server.listen({ onUnhandledRequest: 'error' })
  try {
    const headers = { 'Content-Type': 'application/json' }
    const response = await fetch('http://api.test/plays', { method: 'POST', headers, body: '"Hamlet"' })
    expect(await response.json()).toEqual({ added: 'Hamlet' })
  } finally {
    server.close()
    setUrl(url)
  }
})

test('the report of an unhandled request to another origin names the request, not its preflight', async () => {
  const server = setupServer(http.get('http://api.test/plays', () => HttpResponse.json([])))
  const unhandled: string[] = []
  server.events.on('request:unhandled', ({ request }) => unhandled.push(`${request.method} ${request.url}`))
  server.listen({ onUnhandledRequest: 'error' })
  try {
    await expect(fetch('http://api.test/actors')).rejects.toThrow('GET http://api.test/actors')
    const headers = { 'Content-Type': 'application/json' }
    const sent = fetch('http://api.test/plays', { method: 'PUT', headers, body: '{}' })
    await expect(sent).rejects.toThrow('PUT http://api.test/plays')
    expect(unhandled).toEqual(['GET http://api.test/actors', 'PUT http://api.test/plays'])
  } finally {
    server.close()
  }
})
