import type { PlaygroundState } from './state.ts'

/** The examples of the playground by name. It opens with the first one. */
export const examples: Readonly<Record<string, PlaygroundState>> = {
  HTTP: {
    code: `import { delay, http, HttpResponse } from '@understudy/engine'

interface User {
  id: string
  name: string
}

export const handlers = [
  http.get('/api/user/:id', async ({ params }) => {
    await delay(300)
    const user: User = { id: String(params.id), name: 'Ada' }
    return HttpResponse.json(user)
  }),
  http.post('/api/login', async ({ request }) => {
    const { name } = (await request.json()) as { name: string }
    return HttpResponse.json({ greeting: \`Hello, \${name}\` }, { status: 201 })
  }),
]
`,
    request: { kind: 'fetch', method: 'GET', url: '/api/user/5', body: '' },
  },
  XMLHttpRequest: {
    code: `import { http, HttpResponse } from '@understudy/engine'

export const handlers = [
  http.put('/api/settings', async ({ request }) => {
    const settings = (await request.json()) as Record<string, unknown>
    return HttpResponse.json({ saved: Object.keys(settings) })
  }),
]
`,
    request: { kind: 'xhr', method: 'PUT', url: '/api/settings', body: '{ "theme": "dark" }' },
  },
  GraphQL: {
    code: `import { graphql, HttpResponse } from '@understudy/engine'

export const handlers = [
  graphql.query('GetUser', () => HttpResponse.json({ data: { user: { name: 'Ada' } } })),
]
`,
    request: { kind: 'graphql', method: 'POST', url: '/graphql', body: 'query GetUser { user { name } }' },
  },
  'Server-sent events': {
    code: `import { delay, sse } from '@understudy/engine'

export const handlers = [
  sse('/api/news', async ({ client }) => {
    for (let count = 3; count > 0; count -= 1) {
      client.send({ data: \`\${count}\` })
      await delay(500)
    }
    client.send({ data: 'Liftoff' })
  }),
]
`,
    request: { kind: 'event-source', method: 'GET', url: '/api/news', body: '' },
  },
  WebSocket: {
    code: `import { ws } from '@understudy/engine'

const chat = ws.link('wss://chat.example.com')

export const handlers = [
  chat.addEventListener('connection', ({ client }) => {
    client.send('Welcome')
    client.addEventListener('message', ({ data }) => client.send(\`You said: \${data}\`))
  }),
]
`,
    request: { kind: 'websocket', method: 'GET', url: 'wss://chat.example.com', body: 'Hello' },
  },
}
