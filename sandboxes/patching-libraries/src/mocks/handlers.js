import { http, HttpResponse, sse, ws } from '@understudy/engine'

export const handlers = [
  http.all('/api/user', () => HttpResponse.json({ from: 'the mock' })),
  sse('/api/events', ({ client }) => client.send({ data: 'the mock' })),
  ws.link(`ws://${location.host}/api/socket`).addEventListener('connection', ({ client }) => client.send('the mock')),
]

// The library in the URL is loaded while mocking starts.
const [, when] = location.hash.slice(1).split(',')
if (when === 'meanwhile' && !globalThis.isPatched) await new Promise((resolve) => addEventListener('patched', resolve))
